import type { Locale } from "../../preferences/index.ts";
import { addDays, type Span, type View } from "./days.ts";

/** A day is the same everywhere, so its words are made on the clock of UTC. */
export function dayWords(day: string, language: Locale, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(new Date(day));
}

export const longDay = { weekday: "long", day: "numeric", month: "long" } as const;

export function spanWords({ first, end }: Span, view: View, language: Locale): string {
  if (view === "month") return dayWords(first, language, { month: "long", year: "numeric" });
  const format = new Intl.DateTimeFormat(language, {
    ...{ day: "numeric", month: "long", year: "numeric", timeZone: "UTC" },
  });
  return format.formatRange(new Date(first), new Date(addDays(end, -1)));
}
