import { en } from "./en.ts";
import { ru } from "./ru.ts";

export type EngineTexts = typeof ru;

/** A bot's own words in place of the engine's. */
export interface OwnTexts {
  readonly ru: Partial<EngineTexts>;
  readonly en: Partial<EngineTexts>;
}

/** The engine's own texts. */
export const texts = { ru, en } as const;

export function textsWith(own?: OwnTexts): Readonly<Record<"ru" | "en", EngineTexts>> {
  return own ? { ru: { ...ru, ...own.ru }, en: { ...en, ...own.en } } : texts;
}
