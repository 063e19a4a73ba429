/** Times, sizes and counts as people write them in the page's language. */
import type { Language } from "../texts/index.ts";

const dayMs = 86_400_000;

export interface DayWords {
  readonly today: string;
  readonly yesterday: string;
}

export function clockTime(at: number, language: Language): string {
  return new Intl.DateTimeFormat(locale(language), { hour: "2-digit", minute: "2-digit" }).format(at);
}

/** For the tooltip of a time: the whole of it. */
export function fullTime(at: number, language: Language): string {
  return new Intl.DateTimeFormat(locale(language), { dateStyle: "long", timeStyle: "medium" }).format(at);
}

/** For the list: the time today, the weekday this week, the date before that. */
export function listTime(at: number, now: number, language: Language): string {
  const days = daysBetween(at, now);
  if (days === 0) return clockTime(at, language);
  if (days > 0 && days < 7) return new Intl.DateTimeFormat(locale(language), { weekday: "short" }).format(at);
  return new Intl.DateTimeFormat(locale(language), {
    day: "2-digit",
    month: "2-digit",
    ...(!sameYear(at, now) && { year: "2-digit" }),
  }).format(at);
}

export function dayName(at: number, now: number, words: DayWords, language: Language): string {
  const days = daysBetween(at, now);
  if (days === 0) return words.today;
  if (days === 1) return words.yesterday;
  return new Intl.DateTimeFormat(locale(language), {
    day: "numeric",
    month: "long",
    ...(!sameYear(at, now) && { year: "numeric" }),
  }).format(at);
}

export function fileSize(bytes: number, language: Language): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  return new Intl.NumberFormat(locale(language), {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1024 ** power);
}

export function viewCount(views: number, language: Language): string {
  const options = { notation: "compact", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale(language), options).format(views);
}

export function playTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.floor(seconds) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function locale(language: Language): string {
  return language === "ru" ? "ru-RU" : "en-GB";
}

/** Calendar days in the person's zone; rounding absorbs the hour that daylight saving adds or takes. */
function daysBetween(at: number, now: number): number {
  return Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / dayMs);
}

function sameYear(a: number, b: number): boolean {
  return new Date(a).getFullYear() === new Date(b).getFullYear();
}
