import type { Site } from "../model.ts";

export function dayOf({ options }: Site, at: number): string {
  const language = options.locale === "ru_RU" ? "ru" : "en";
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: options.timezone }).format(at);
}
