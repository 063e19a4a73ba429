/** Days and times of a week in a time zone. Pure. */

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];
export type Days = readonly Weekday[];
/** `10:00` */
export type Times = readonly string[];

export const postsPerDay = { least: 1, most: 5 } as const;
/** 06:00 to 23:00. */
export const hours: readonly string[] = Array.from(
  { length: 18 },
  (_, index) => `${String(index + 6).padStart(2, "0")}:00`,
);

/** Each day and time once, in the order of the week and of the day. */
export function inOrder({ days, times }: { readonly days: Days; readonly times: Times }) {
  return {
    days: weekdays.filter((day) => days.includes(day)),
    times: [...new Set(times)].toSorted(),
  };
}

interface Plan {
  readonly days: Days;
  readonly times: Times;
}

/** The times of today that are still to come, in the zone. */
export function leftToday({ days, times }: Plan, zone: string, now: Date): readonly string[] {
  const { day, time } = inZone(now, zone);
  return days.includes(day) ? times.filter((each) => each > time) : [];
}

/** When it is due next: in how many days, and at what time; undefined if it has no days or no times. */
export function nextOf(
  { days, times }: Plan,
  zone: string,
  now: Date,
): { readonly inDays: number; readonly day: Weekday; readonly time: string } | undefined {
  const { day: today, time: clock } = inZone(now, zone);
  const start = weekdays.indexOf(today);
  for (let inDays = 0; inDays <= 7; inDays += 1) {
    const day = weekdays[(start + inDays) % 7] ?? today;
    if (!days.includes(day)) continue;
    const time = inDays === 0 ? times.find((each) => each > clock) : times[0];
    if (time !== undefined) return { inDays, day, time };
  }
  return undefined;
}

function inZone(moment: Date, zone: string): { readonly day: Weekday; readonly time: string } {
  const parts = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: zone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  }).formatToParts(moment);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  const day = weekdays.find((each) => each === part("weekday").toLowerCase()) ?? "mon";
  return { day, time: `${part("hour")}:${part("minute")}` };
}
