const reasons: Readonly<Record<string, string>> = {
  cancelled: "отменено",
  expired: "превью устарело",
  done: "готово",
  counted: "по фактическому объёму",
  published: "опубликовано",
  model_failed: "генерация не удалась",
  llm_failed: "генерация не удалась",
  text_failed: "генерация не удалась",
  plan_failed: "генерация не удалась",
  text_too_short: "текст не прошёл проверку",
  not_valid: "текст не прошёл проверку",
  low_quality: "текст не прошёл проверку",
  not_published: "публикация не удалась",
  no_picture: "изображение не получилось",
  no_pictures: "изображения не получились",
  "nothing was made": "изображения не получились",
  "nothing was drawn": "изображения не получились",
  nothing_found: "ничего не нашлось",
  source_unavailable: "сервис недоступен",
  page_unreadable: "страница не открылась",
  deleted: "проект или категория удалены",
};

export const runs = {
  elapsed: (clock: string) => `Прошло ${clock}`,
  stopping: "Останавливаю: дождусь конца текущего шага, токены вернутся.",
  stopped: "Остановлено. Токены возвращены.",
  receipt: {
    title: "Чек",
    held: (tokens: string) => `Удержано: ${tokens}`,
    settled: (tokens: string) => `Списано: ${tokens}`,
    /** A reason that has no words of its own is left out. */
    returned: (tokens: string, reason: string | null) => {
      const why = reasons[reason ?? ""];
      return `Возвращено: ${tokens}${why === undefined ? "" : ` (${why})`}`;
    },
    free: "Стоимость: 0 (GOD_MODE — бесплатно)",
  },
};
