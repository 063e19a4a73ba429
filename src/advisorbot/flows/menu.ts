/** Home: nothing here asks the service anything. */
import { type Kind, kinds } from "../subject.ts";
import { both, texts } from "../texts/index.ts";
import { flow } from "./services.ts";
import { proButton } from "./trouble.ts";
import { noWish, questionInputs, wishShape } from "./wish.ts";

const kindOf = (arg: string): Kind | null => kinds.find((kind) => kind === arg) ?? null;

export const menu = flow({
  name: "Menu",
  title: both((t) => t.menu.title),
  data: wishShape,
  empty: noWish,
  first: "menu",
  entries: { commands: { start: { to: "menu" }, menu: { to: "menu" }, help: { to: "about" } } },
  rivals: "yield",
  inactivity: "never",
  states: {
    menu: {
      ask: both((t) => t.menu.ask),
      noBack: true,
      buttons: {
        kind: {
          label: { ru: "", en: "" },
          each: (_, language) => kinds.map((arg) => ({ arg, label: texts[language].kinds[arg] })),
          to: "flow:Ask",
          press: (_, arg) => ({ data: { kind: kindOf(arg) } }),
        },
        pet: { label: both((t) => t.menu.pet), to: "flow:Pet" },
        me: { label: both((t) => t.menu.me), to: "flow:Me" },
        about: { label: both((t) => t.menu.about), to: "about" },
      },
      ...questionInputs("flow:Ask", "flow:Ask"),
    },
    about: {
      ask: both((t) => t.about),
      noBack: true,
      buttons: {
        // What Pro brings stands on this screen already.
        pro: {
          ...proButton,
          press: ({ services, language }) => ({ notice: texts[language].getPro(services.proContact) }),
        },
        menu: { label: both((t) => t.toMenu), to: "menu" },
      },
      ...questionInputs("flow:Ask", "flow:Ask"),
    },
  },
});
