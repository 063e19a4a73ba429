import { breakerAt } from "./breaker.ts";
import { type Limit, newDay, type PaceMemory } from "./pace-memory.ts";
import { policy } from "./pace-policy.ts";
import type { PaceSettings } from "./pace-settings.ts";
import type { PacedAccount } from "./send-facts.ts";

/** The memory at `now`: finished days are judged, an expired stop becomes a trial. */
export function memoryAt(
  memory: PaceMemory,
  account: PacedAccount,
  settings: PaceSettings,
  { now, dayStart }: { now: number; dayStart: number },
): PaceMemory {
  const warnings = memory.warnings.filter(({ at }) => at > now - policy.memory);
  const breaker = breakerAt(memory.breaker, settings, now);
  const present = { ...memory, warnings, breaker };
  const lifted = warnings.some(({ counts }) => counts)
    ? present
    : {
        ...present,
        perDay: Math.max(present.perDay, settings.start_per_day),
        copies: Math.max(present.copies, settings.start_copies),
      };
  if (dayStart <= memory.day.start) return lifted;
  return { ...judgeDay(lifted, account, settings), day: newDay(dayStart) };
}

/** How many messages the account may send today, by its age and history. */
export function ceilingOf(
  { perDay }: PaceMemory,
  { connectedAt }: PacedAccount,
  settings: PaceSettings,
  now: number,
): number {
  const age = now - connectedAt;
  const young = policy.byAge.find(({ days }) => age < days * policy.day);
  // A higher start setting overrides the limit by age.
  const byAge = young ? Math.max(young.perDay, settings.start_per_day) : Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor(Math.min(perDay, byAge, settings.most_per_day)));
}

/** Whether the account skips the governor's caution: its owner marked it seasoned and Telegram has never warned it. */
export function isSeasoned(
  { warnings, perDayLimit, copiesLimit }: PaceMemory,
  { seasoned }: PaceSettings,
): boolean {
  return seasoned && !perDayLimit && !copiesLimit && !warnings.some(({ counts }) => counts);
}

/** Minimum gap: an even spread over the window, divided by the setting `spread`. */
export function gapOf(ceiling: number, { windowMinutes }: PacedAccount, { spread }: PaceSettings): number {
  return (windowMinutes * 60_000) / ceiling / spread;
}

/** Applies a finished day. Only days that were used and brought no warning raise the limits. */
function judgeDay(memory: PaceMemory, account: PacedAccount, settings: PaceSettings): PaceMemory {
  const { day, perDay, perDayLimit, copies, copiesLimit } = memory;
  if (day.warned) return memory;
  const ceiling = ceilingOf(memory, account, settings, day.start);
  const used = day.sent >= policy.usedShare * ceiling;
  const copied = day.copies > copies - 1;
  const young = day.start - account.connectedAt < policy.youngDays * policy.day;
  const careful = day.start + policy.day - policy.caution;
  const warned = memory.warnings.filter(({ counts, at }) => counts && at > careful).length;
  const age = young ? "young" : "grown";
  const share = policy.share.find(({ warnings }) => warned <= warnings) ?? { perDay: 0, copies: 0 };
  const bounds = copiesByAge(account, day.start);
  const perDayNext = perDayLimit
    ? approachLimit(perDay, perDayLimit, share.perDay, { used, age, calm: warned < 2 })
    : // From the actual sends: unused trust proves nothing.
      Math.max(perDay, day.sent * (1 + settings.growth_percent / 100));
  const copiesNext = copiesLimit
    ? approachLimit(copies, copiesLimit, share.copies, { used: copied, age, calm: warned < 2 })
    : Math.max(copies, Math.min(day.copies + 1, copies + 1), day.copies * policy.copies.growth);
  return {
    ...memory,
    perDay: Math.min(settings.most_per_day, perDayNext),
    copies: Math.min(bounds.most, Math.max(copiesNext, copiesLimit ? 0 : bounds.least)),
    proven: {
      perDay: Math.max(memory.proven.perDay, day.sent),
      copies: Math.max(memory.proven.copies, day.copies),
    },
  };
}

/** Growth after a clean day under a known limit: fast up to a share of it, slower near it, very slow beyond it. */
function approachLimit(
  trust: number,
  { met, sureness }: Limit,
  share: number,
  { used, age, calm }: { used: boolean; age: "young" | "grown"; calm: boolean },
): number {
  if (!used) return trust;
  if (trust < met * share) return Math.min(met * share, trust * policy.step);
  if (!calm) return trust;
  if (trust < met * policy.brink) return trust * policy.approach[age];
  return trust * (policy.doubt.find((one) => sureness <= one.sureness)?.[age] ?? 1);
}

function copiesByAge({ connectedAt }: PacedAccount, now: number): { least: number; most: number } {
  const found = policy.copies.byAge.find(({ days }) => now - connectedAt < days * policy.day);
  return found ?? { least: 0, most: Number.POSITIVE_INFINITY };
}
