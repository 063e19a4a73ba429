import { dayAfter, dayAt, instantAt } from "../plan/time-zone.ts";

/** When bots publish objects. Accounts have their own windows. */
const botWindow = { timezone: "Europe/Moscow", from: "08:00", to: "22:00" } as const;

/** Minimum time between two posts of the same object to the same chat. */
export const botRepeatMs = 24 * 3_600_000;

export interface BotTime {
  readonly at: Date;
  /** The calendar day the post counts for. */
  readonly day: string;
}

/** Now if the window is open, else when it opens next. */
export function botTime(now: Date, { anyTime = false }: { anyTime?: boolean } = {}): BotTime {
  const { timezone, from, to } = botWindow;
  const today = dayAt(now, timezone);
  const opens = instantAt(today, from, timezone);
  const closes = instantAt(today, to, timezone);
  if (anyTime || (now >= opens && now < closes)) return { at: now, day: today };
  const day = now < opens ? today : dayAfter(today);
  return { at: instantAt(day, from, timezone), day };
}
