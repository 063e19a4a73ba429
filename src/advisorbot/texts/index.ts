import type { Both, Language } from "../../dialogs/index.ts";
import { en } from "./en.ts";
import { ru } from "./ru.ts";

export type Texts = typeof ru;
export const texts: Readonly<Record<Language, Texts>> = { ru, en };

/** `both((t) => t.again)`: a text in both languages. */
export function both(pick: (words: Texts) => string): Both {
  return { ru: pick(ru), en: pick(en) };
}
