import { counted } from "../../../../kernel/words/index.ts";

export const common = {
  botName: "SEO Master",
  expired: "Сессия истекла. Начните заново",
  cancelled: "Хорошо, отменено.",
  brokenFlow: "Не получилось: неполадка на нашей стороне. Ничего не списано, попробуйте ещё раз.",
  // Buttons
  menu: "Меню",
  mainMenu: "Главное меню",
  back: "Назад",
  cancel: "Отмена",
  skip: "Пропустить",
  again: "Повторить",
  save: "Сохранить",
  edit: "Изменить",
  topUp: "Пополнить",
  toProject: "К проекту",
  toCategory: "К категории",
  toProjects: "Мои проекты",
  toCategories: "К категориям",
  toConnections: "К подключениям",
  toProfile: "К профилю",
  // Figures
  tokens: (count: number) =>
    counted(count, { one: "токен", few: "токена", many: "токенов", other: "токена" }, "ru"),
  short: (needed: number, balance: number) => `Недостаточно токенов. Нужно ~${needed}, у вас ${balance}.`,
};
