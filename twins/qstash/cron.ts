/**
 * Cron expressions as QStash takes them: five fields, `CRON_TZ=` for a zone. The prefix is that of robfig/cron in Go, so its
 * rules are kept: wall-clock minutes are matched, those that a zone skips never fire, those that it repeats fire twice. The
 * packages of npm follow Vixie cron there, which is why this is written by hand.
 */
export interface Cron {
  readonly zone: string;
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Both fields of days are restricted: either may match. */
  readonly eitherDay: boolean;
}

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Undefined if it is not an expression. */
export function readCron(text: string): Cron | undefined {
  const words = text.trim().split(/\s+/);
  const prefix = /^(?:CRON_)?TZ=(.+)$/.exec(words[0] ?? "");
  const zone = prefix?.[1] ?? "UTC";
  const [minute, hour, day, month, weekday, ...rest] = words.slice(prefix ? 1 : 0);
  if (minute === undefined || hour === undefined || day === undefined) return undefined;
  if (month === undefined || weekday === undefined || rest.length > 0 || !isZone(zone)) return undefined;
  const minutes = fieldOf(minute, 0, 59);
  const hours = fieldOf(hour, 0, 23);
  const days = fieldOf(day, 1, 31);
  const months = fieldOf(month, 1, 12, { names: monthNames, first: 1 });
  const weekdays = fieldOf(weekday, 0, 7, { names: weekdayNames, first: 0 });
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  if (weekdays.delete(7)) weekdays.add(0);
  const eitherDay = !/^[*?]/.test(day) && !/^[*?]/.test(weekday);
  return { zone, minutes, hours, days, months, weekdays, eitherDay };
}

function fieldOf(
  text: string,
  least: number,
  most: number,
  words?: { readonly names: readonly string[]; readonly first: number },
): Set<number> | undefined {
  const numberOf = (part: string) => {
    const index = words?.names.indexOf(part.toLowerCase()) ?? -1;
    return index >= 0 ? index + (words?.first ?? 0) : /^\d{1,2}$/.test(part) ? Number(part) : Number.NaN;
  };
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const [, range = "", step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    const [low = "", high, ...rest] = range.split("-");
    const isAll = range === "*" || range === "?";
    const from = isAll ? least : numberOf(low);
    // A step from a single number goes on to the end.
    const to = isAll || (high === undefined && step !== undefined) ? most : numberOf(high ?? low);
    const by = step === undefined ? 1 : Number(step);
    if (rest.length > 0 || !(from >= least && to <= most && from <= to && by > 0)) return undefined;
    for (let value = from; value <= to; value += by) found.add(value);
  }
  return found;
}

const minuteMs = 60_000;

/** The minutes after `after` up to `until` at which it fires, at most `most` of them. */
export function firings(cron: Cron, after: number, until: number, most: number): number[] {
  const found: number[] = [];
  let at = Math.floor(after / minuteMs) * minuteMs + minuteMs;
  while (at <= until && found.length < most) {
    const local = new Date(at + offsetMs(cron.zone, at));
    if (!isDay(cron, local)) {
      // Nothing of this day fires; the last hours are walked, because clocks may be changed in them.
      at += Math.max(1, (22 - local.getUTCHours()) * 60) * minuteMs;
      continue;
    }
    if (cron.minutes.has(local.getUTCMinutes()) && cron.hours.has(local.getUTCHours())) found.push(at);
    at += minuteMs;
  }
  return found;
}

/** The next firing within a year, if there is one. */
export const nextFiring = (cron: Cron, after: number) =>
  firings(cron, after, after + 366 * 24 * 60 * minuteMs, 1)[0];

function isDay({ days, months, weekdays, eitherDay }: Cron, local: Date): boolean {
  if (!months.has(local.getUTCMonth() + 1)) return false;
  const day = days.has(local.getUTCDate());
  const weekday = weekdays.has(local.getUTCDay());
  return eitherDay ? day || weekday : day && weekday;
}

/** Zones change at quarters of an hour only, so one look per quarter is enough. */
const quarterMs = 15 * minuteMs;
const looked = new Map<string, { readonly format: Intl.DateTimeFormat; quarter: number; offset: number }>();

function offsetMs(zone: string, at: number): number {
  const quarter = Math.floor(at / quarterMs);
  const known = looked.get(zone) ?? { format: wallClock(zone), quarter: Number.NaN, offset: 0 };
  looked.set(zone, known);
  if (known.quarter === quarter) return known.offset;
  const start = quarter * quarterMs;
  const parts = known.format.formatToParts(start);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const wall = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  known.quarter = quarter;
  known.offset = wall - start;
  return known.offset;
}

const wallClock = (timeZone: string) =>
  new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric" },
  });

function isZone(zone: string): boolean {
  try {
    wallClock(zone);
    return true;
  } catch {
    // Intl throws for names that it does not know.
    return false;
  }
}
