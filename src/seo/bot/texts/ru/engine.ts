import { counted } from "../../../../kernel/words/index.ts";

/** In place of the engine's own words, where the document prescribes others. */
export const engine = {
  cancel: "Отмена",
  textExpected: "Пожалуйста, отправьте текстовое сообщение",
  busy: (title: string) => `Вы в процессе «${title}». Отправьте /cancel для отмены`,
  staleInFlow: (title: string) => `Вы уже в процессе «${title}». Продолжите на последнем экране.`,
  replaced: (former: string, next: string) => `Предыдущий процесс (${former}) прерван. Начинаем: ${next}.`,
  rival: (present: string, next: string) => `Вы уже в процессе «${present}». Прервать и начать «${next}»?`,
  startNew: "Прервать и начать новый",
  keepOn: "Вернуться к текущему",
  leaving: (title: string, hours?: number) =>
    hours === undefined
      ? `Прервать «${title}»? Введённое не сохранится.`
      : `Прервать? Прогресс будет сохранён ${counted(hours, { one: "час", few: "часа", many: "часов", other: "часа" }, "ru")}.`,
  stayIn: "Продолжить pipeline",
  leave: "Выйти в меню",
  trouble: "Произошла ошибка. Попробуйте позже.",
};
