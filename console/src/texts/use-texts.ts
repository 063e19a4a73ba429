import { type Locale, locale } from "../preferences/index.ts";
import { en } from "./en.ts";
import { ru, type Texts } from "./ru.ts";

const languages: Record<Locale, Texts> = { ru, en };

export function useTexts(): Texts {
  return languages[locale.use()];
}

/** The words of one page, which load with the page. */
export function usePageTexts<T>(both: Readonly<Record<Locale, T>>): T {
  return both[locale.use()];
}
