/**
 * An independent model of posting windows for the tests: it checks the wall clock of every minute, one after another, and takes
 * time zones from the runtime instead of the database.
 */
export type Interval = readonly [start: string, end: string];

export type Weekday = (typeof weekdays)[number];

export type PostingWindow = Partial<Record<Weekday, readonly Interval[]>> & {
  readonly holidays?: Readonly<Record<string, readonly Interval[]>>;
};

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const minute = 60_000;
const day = 24 * 60 * minute;
const farthest = 366 * day;

export interface WallClockModel {
  isOpen(window: PostingWindow, at: number): boolean;
  nextOpen(window: PostingWindow, at: number): number | null;
}

export function wallClockModel(zone: string): WallClockModel {
  const offsetAt = offsetsOf(zone);

  function isOpen(window: PostingWindow, at: number): boolean {
    const wall = at + offsetAt(at);
    const midnight = Math.floor(wall / day) * day;
    return [midnight - day, midnight].some((date) =>
      intervalsOn(window, date).some(([start, end]) => {
        const from = date + timeOf(start);
        const till = date + timeOf(end) + (timeOf(end) < timeOf(start) ? day : 0);
        return from <= wall && wall < till;
      }),
    );
  }

  return {
    isOpen,
    nextOpen(window, at) {
      if (isOpen(window, at)) return at;
      for (let next = Math.floor(at / minute + 1) * minute; next <= at + farthest; next += minute)
        if (isOpen(window, next)) return next;
      return null;
    },
  };
}

/** Since 1980 the zones in the tests changed their clocks only at a quarter of an hour, so each quarter is computed once. */
function offsetsOf(zone: string): (at: number) => number {
  const quarter = 15 * minute;
  const known = new Map<number, number>();
  const clock = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return (at) => {
    const start = Math.floor(at / quarter);
    const offset = known.get(start) ?? offsetFrom(clock.format(start * quarter));
    known.set(start, offset);
    return offset;
  };
}

/** `1/2/2027, GMT+05:30`, or just `GMT` for none. */
function offsetFrom(text: string): number {
  const [, sign, hours = "0", minutes = "0"] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(text) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
}

function intervalsOn(window: PostingWindow, date: number): readonly Interval[] {
  const name = weekdays[(new Date(date).getUTCDay() + 6) % 7] ?? "mon";
  return window.holidays?.[new Date(date).toISOString().slice(0, 10)] ?? window[name] ?? [];
}

function timeOf(text: string): number {
  const [hours = "", minutes = ""] = text.split(":");
  return (Number(hours) * 60 + Number(minutes)) * minute;
}
