import { counted } from "../../../../kernel/words/index.ts";

const tokens = (count: number) =>
  counted(count, { one: "токен", few: "токена", many: "токенов", other: "токена" }, "ru");

export const autopublish = {
  published: (isArticle: boolean, place: string) =>
    `Автопубликация: ${isArticle ? "статья на" : "пост в"} ${place}`,
  charged: (charged: number, left: number) => `Списано: ${tokens(charged)} | Осталось: ${tokens(left)}`,
  free: "GOD_MODE — бесплатно",
  crossed: "Кросс-посты:",
  crossedAt: (name: string, what: string) => `• ${name} — ${what}`,
  isOut: "опубликовано",
  ends: {
    too_few_tokens: (needed: number, balance: number) =>
      `Автопубликация пропущена: недостаточно токенов (нужно ~${needed}, баланс: ${balance}). Расписание приостановлено.`,
    no_phrases: (category: string) =>
      `Автопубликация пропущена: нет ключевых фраз в категории «${category}».`,
    no_articles: (category: string) =>
      `Автопубликация пропущена («${category}»). В категории нет кластеров для статей. Добавьте информационные фразы.`,
    no_phrase: (category: string, why: string) => `Автопубликация пропущена («${category}»). ${why}`,
    not_valid: "Автопубликация пропущена: сгенерированный контент не прошёл проверку качества.",
    model: "Автопубликация не удалась: AI-сервис недоступен уже несколько часов. Следующая — по расписанию.",
    internal:
      "Автопубликация не удалась из-за ошибки на нашей стороне: повторы не помогли. Следующая — по расписанию, а эту можно опубликовать вручную.",
    platform: (platform: string) =>
      `Автопубликация не удалась: ${platform} не отвечает. Проверьте подключение.`,
    refused: (platform: string) =>
      `Автопубликация не удалась: ${platform} не принимает подключение. Подключите заново.`,
  },
  later: {
    model: "Автопубликация отложена: AI-сервис временно недоступен. Повторим через 1 час.",
    internal: "Автопубликация отложена: ошибка на нашей стороне. Повторим через 1 час.",
  },
  why: (why: string) => `Причина: ${why}`,
  where: (category: string, place: string) => `«${category}» → ${place}`,
  returned: "Токены возвращены: Да",
  givenUp:
    "Это третья ошибка подряд, поэтому расписание отключено. Проверьте подключение и включите его снова.",
  keys: {
    topUp: "Пополнить баланс",
    toSchedule: "К расписанию",
    findPhrases: "Подобрать фразы",
    byHand: "Опубликовать вручную",
    check: "Проверить подключение",
    reconnect: (platform: string) => `Переподключить ${platform}`,
    open: "Открыть публикацию",
  },
};
