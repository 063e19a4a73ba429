import { ceilingOf, memoryAt } from "./pace.ts";
import { policy } from "./policy.ts";
import type { KnownAccount } from "./store.ts";

const daysAhead = 90;

/**
 * The first day on which the account may send as much as its daily limit says, if every day until then is used and brings no
 * warning; nothing when that is not in sight. As the midnight that begins it.
 */
export function fullPaceDay({
  memory,
  account,
  settings,
  dailyLimit,
  dayStart,
}: KnownAccount): number | undefined {
  const goal = Math.min(dailyLimit, settings.most_per_day);
  let course = memoryAt(memory, account, settings, { now: dayStart, dayStart });
  for (let ahead = 0; ahead < daysAhead; ahead += 1) {
    const start = dayStart + ahead * policy.day;
    const noon = start + policy.day / 2;
    course = memoryAt(course, account, settings, { now: noon, dayStart: start });
    const ceiling = ceilingOf(course, account, settings, noon);
    if (ceiling >= goal) return start;
    const { sent, copies, warned } = course.day;
    const used = { sent: Math.max(sent, ceiling), copies: Math.max(copies, Math.floor(course.copies)) };
    course = { ...course, day: { start, ...used, warned } };
  }
  return undefined;
}
