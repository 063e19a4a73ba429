/** "5 minutes ago" for people; the exact time goes beside it. */
import type { Locale } from "../preferences/index.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Each step says up to which age it speaks, in which unit. */
const steps = [
  { below: minute, unit: "second", ms: second },
  { below: hour, unit: "minute", ms: minute },
  { below: day, unit: "hour", ms: hour },
  { below: 7 * day, unit: "day", ms: day },
] as const;

/** Closer than this to now, in either direction, is "now": clocks of browser and server differ a little. */
const nowWithin = 10 * second;

export function relativeTime(at: Date, now: Date, locale: Locale): string {
  const distance = at.getTime() - now.getTime();
  const age = Math.abs(distance);
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (age < nowWithin) return words.format(0, "second");
  const step = steps.find(({ below }) => age < below);
  return step ? words.format(Math.trunc(distance / step.ms), step.unit) : dayOf(at, locale);
}

export function exactTime(at: Date, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "medium" }).format(at);
}

export function dayOf(at: Date, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(at);
}

export function clockTime(at: Date, locale: Locale, seconds = true): string {
  return new Intl.DateTimeFormat(locale, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(seconds && { second: "2-digit" }),
  }).format(at);
}
