import { breakerAt } from "./breaker.ts";
import type { PacedAccount } from "./facts.ts";
import { type Limit, newDay, type PaceMemory } from "./memory.ts";
import { policy } from "./policy.ts";
import type { PaceSettings } from "./settings.ts";

/** The memory as it stands at a moment: a finished day has been judged, a stop that is over has become a trial. */
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

/** How many messages today: what the account is trusted with, by its age and its past. */
export function ceilingOf(
  { perDay }: PaceMemory,
  { connectedAt }: PacedAccount,
  settings: PaceSettings,
  now: number,
): number {
  const age = now - connectedAt;
  const young = policy.byAge.find(({ days }) => age < days * policy.day);
  // Who sets a higher start knows the account: its age says nothing more.
  const byAge = young ? Math.max(young.perDay, settings.start_per_day) : Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor(Math.min(perDay, byAge, settings.most_per_day)));
}

/** Whether the account goes at its mode's own pace: its owner vouches for it, and Telegram has never warned it. */
export function isVouchedFor(
  { warnings, perDayLimit, copiesLimit }: PaceMemory,
  { seasoned }: PaceSettings,
): boolean {
  return seasoned && !perDayLimit && !copiesLimit && !warnings.some(({ counts }) => counts);
}

/** The shortest time between two messages: an even spread over the window, made faster by the setting. */
export function gapOf(ceiling: number, { windowMinutes }: PacedAccount, { spread }: PaceSettings): number {
  return (windowMinutes * 60_000) / ceiling / spread;
}

/** What a finished day adds. Only days that were used and brought no warning prove anything. */
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
    ? nearing(perDay, perDayLimit, share.perDay, { used, age, calm: warned < 2 })
    : // From what was really sent: trust that nobody uses proves nothing.
      Math.max(perDay, day.sent * (1 + settings.growth_percent / 100));
  const copiesNext = copiesLimit
    ? nearing(copies, copiesLimit, share.copies, { used: copied, age, calm: warned < 2 })
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

/** A clean day under a limit: quickly back to a part of it, then nearer, then, ever more slowly, beyond. */
function nearing(
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
