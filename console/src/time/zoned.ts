import type { Locale } from "../preferences/index.ts";

/** Date and time by the clock of a zone. A zone other than the browser's own is named, so that nobody guesses. */
export function zonedTime(at: Date, zone: string, locale: Locale, style: "short" | "long" = "short"): string {
  const isOwn = zone === Intl.DateTimeFormat().resolvedOptions().timeZone;
  return new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    day: "numeric",
    month: style === "long" ? "long" : "short",
    ...(style === "long" && { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(!isOwn && { timeZoneName: "short" }),
  }).format(at);
}
