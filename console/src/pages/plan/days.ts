/** Days of a calendar as `2026-11-18`, and moments on the clock of a zone. */

const dayMs = 86_400_000;

export type View = "week" | "month";

/** The days of a view, the first one included, the day after the last one excluded. */
export interface Span {
  readonly first: string;
  readonly end: string;
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}

export function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

export function spanOf(view: View, day: string): Span {
  if (view === "week") {
    const first = addDays(day, -weekdayOf(day));
    return { first, end: addDays(first, 7) };
  }
  const [year = 0, month = 1] = day.split("-").map(Number);
  const firstOf = (offset: number) =>
    new Date(Date.UTC(year, month - 1 + offset, 1)).toISOString().slice(0, 10);
  return { first: firstOf(0), end: firstOf(1) };
}

export function daysOf({ first, end }: Span): readonly string[] {
  const count = Math.round((Date.parse(end) - Date.parse(first)) / dayMs);
  return Array.from({ length: count }, (_, at) => addDays(first, at));
}

/** The moments that a span can have on any clock of the world. */
export function momentsOf({ first, end }: Span): { readonly from: string; readonly to: string } {
  const hourMs = 3_600_000;
  return {
    from: new Date(Date.parse(first) - 14 * hourMs).toISOString(),
    to: new Date(Date.parse(end) + 12 * hourMs).toISOString(),
  };
}

/** `2026-11-18T15:00`: a moment on the clock of a zone, as fields for times have it. */
export function clockIn(zone: string, at: Date): string {
  // The Swedish order is that of ISO 8601.
  return new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
    .format(at)
    .replace(" ", "T");
}

export function dayIn(zone: string, at: Date): string {
  return clockIn(zone, at).slice(0, 10);
}

/** The moment at which a clock of the zone shows this; a time that a change of clocks skips becomes the one after it. */
export function momentIn(zone: string, local: string): Date {
  const wanted = Date.parse(`${local}Z`);
  const offsetAt = (ms: number) =>
    Date.parse(`${clockIn(zone, new Date(ms))}Z`) - Math.floor(ms / 60_000) * 60_000;
  const near = wanted - offsetAt(wanted);
  return new Date(wanted - offsetAt(near));
}

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
