export const locales = ["ru", "en"] as const;
export type Locale = (typeof locales)[number];

export function isLocale(text: string | null | undefined): text is Locale {
  return locales.some((locale) => locale === text);
}

/** The first language of the browser that we speak; English for everybody else. */
export function preferredLocale(languages: readonly string[]): Locale {
  return languages.map((language) => language.split("-")[0]?.toLowerCase()).find(isLocale) ?? "en";
}
