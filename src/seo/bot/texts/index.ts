import type { Both, Language } from "../../../dialogs/index.ts";
import { en } from "./en/index.ts";
import { ru } from "./ru/index.ts";

export type Texts = typeof ru;
export const texts: Readonly<Record<Language, Texts>> = { ru, en };

/** `both((t) => t.common.menu)`: a text in both languages. */
export function both<Each = string>(pick: (words: Texts) => Each): Both<Each> {
  return { ru: pick(ru), en: pick(en) };
}
