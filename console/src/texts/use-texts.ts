import { type Locale, locale } from "../preferences/index.ts";
import { en } from "./en.ts";
import { ru, type Texts } from "./ru.ts";

const languages: Record<Locale, Texts> = { ru, en };

export function useTexts(): Texts {
  return languages[locale.use()];
}
