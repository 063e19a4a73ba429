/** The menu; makes no requests to the service. */
import { type Kind, kinds } from "../subject.ts";
import { both, texts } from "../texts/index.ts";
import { proButton } from "./error-screen.ts";
import { offerDescribedPro } from "./offer-pro.ts";
import { noWish, questionInputs, wishShape } from "./question-input.ts";
import { flow } from "./services.ts";

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
        // This screen already describes Pro.
        pro: { ...proButton, press: offerDescribedPro },
        menu: { label: both((t) => t.toMenu), to: "menu" },
      },
      ...questionInputs("flow:Ask", "flow:Ask"),
    },
  },
});
