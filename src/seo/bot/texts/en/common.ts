import { counted } from "../../../../kernel/words/index.ts";

export const common = {
  botName: "SEO Master",
  expired: "The session has expired. Please start again",
  cancelled: "All right, cancelled.",
  brokenFlow: "That failed because of a fault on our side. Nothing was charged; please try again.",
  // Buttons
  menu: "Menu",
  mainMenu: "Main menu",
  back: "Back",
  cancel: "Cancel",
  skip: "Skip",
  again: "Try again",
  save: "Save",
  edit: "Change",
  topUp: "Top up",
  toProject: "To the project",
  toCategory: "To the category",
  toProjects: "My projects",
  toCategories: "To the categories",
  toConnections: "To the connections",
  toProfile: "To the profile",
  // Figures
  tokens: (count: number) => counted(count, { one: "token", other: "tokens" }, "en"),
  short: (needed: number, balance: number) =>
    `There are not enough tokens: about ${needed} are needed, you have ${balance}.`,
};
