import type { BotKeyboard } from "../../dialogs/index.ts";
import { type BotServices, isAdmin } from "./services.ts";
import { both } from "./texts/index.ts";

export const keyboard: BotKeyboard<BotServices> = {
  text: both((t) => t.home.keyboard.text),
  rows: [
    [{ label: both((t) => t.home.keyboard.menu), to: "screen:dashboard" }],
    [
      { label: both((t) => t.home.keyboard.article), to: "screen:pipeline:article:start", style: "primary" },
      { label: both((t) => t.home.keyboard.post), to: "screen:pipeline:social:start" },
    ],
    [{ label: both((t) => t.home.keyboard.admin), to: "screen:admin", when: isAdmin }],
  ],
};
