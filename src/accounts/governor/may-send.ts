import { ceilingOf, gapOf, isSeasoned, memoryAt } from "./pace.ts";
import type { PaceMemory } from "./pace-memory.ts";
import { policy } from "./pace-policy.ts";
import type { ReasonCode } from "./pace-reasons.ts";
import type { PaceSettings } from "./pace-settings.ts";
import { countSince, type Facts, type PacedAccount, weighCopies } from "./send-facts.ts";

export type Decision =
  | { readonly go: true }
  | { readonly go: false; readonly until: number; readonly code: ReasonCode };

const go: Decision = { go: true };

/** Decides whether the message may go now; returns the first reason to hold it, most important first. */
export function maySend(
  remembered: PaceMemory,
  account: PacedAccount,
  facts: Facts,
  settings: PaceSettings,
): Decision {
  if (!settings.enabled) return go;
  const { now } = facts;
  const memory = memoryAt(remembered, account, settings, facts);
  const said =
    holdUntil("flood_wait", memory.quietUntil, now) ??
    holdUntil("breaker_open", memory.breaker.state === "open" ? memory.breaker.until : 0, now) ??
    holdUntil("slow_mode", slowModeEnd(facts), now) ??
    holdUntil("breaker_trial", trialTime(memory, facts, settings), now);
  if (said) return said;
  // Telegram's own waits apply to every account; the checks below are our caution.
  if (isSeasoned(memory, settings)) return go;
  const ceiling = ceilingOf(memory, account, settings, now);
  const gap = gapOf(ceiling, account, settings);
  return (
    holdUntil("daily_ceiling", ceilingEnd(ceiling, facts), now) ??
    holdUntil("gap", after(facts.sends.at(-1), gap), now) ??
    holdUntil("similar_text", copiesEnd(memory, facts, settings), now) ??
    go
  );
}

function holdUntil(code: ReasonCode, until: number, now: number): Decision | undefined {
  return until > now ? { go: false, until, code } : undefined;
}

function after(moment: number | undefined, wait: number): number {
  return moment === undefined ? 0 : moment + wait;
}

function slowModeEnd({ chat }: Facts): number {
  const bySelf = chat.slowModeSeconds > 0 ? after(chat.lastSentAt, chat.slowModeSeconds * 1000) : 0;
  const end = Math.max(bySelf, chat.slowUntil ?? 0);
  return end > 0 ? end + policy.slowModeMargin : 0;
}

function trialTime({ breaker }: PaceMemory, { sends }: Facts, settings: PaceSettings): number {
  return breaker.state === "half_open" ? after(sends.at(-1), settings.trial_gap_minutes * 60_000) : 0;
}

/** Limits today's messages and those of any 24 hours, so that an evening and a morning do not add up to two days. */
function ceilingEnd(ceiling: number, { now, dayStart, sends }: Facts): number {
  const today = countSince(sends, dayStart - 1);
  if (today >= ceiling) return dayStart + policy.day;
  return leavesBelow(sends, Math.floor(ceiling * policy.acrossMidnight), now);
}

/** When fewer than `most` of the times will be younger than a day. */
function leavesBelow(times: readonly number[], most: number, now: number): number {
  if (countSince(times, now - policy.day) < most) return 0;
  return (times[times.length - most] ?? now) + policy.day;
}

/** When enough copies will be older than a day to allow one more. */
function copiesEnd({ copies }: PaceMemory, facts: Facts, { others_weight }: PaceSettings): number {
  const most = Math.max(1, copies);
  let counted = weighCopies(facts, others_weight, policy.day) + 1;
  if (counted <= most) return 0;
  const weighed = [
    ...facts.copies.own.map((at) => ({ at, weight: 1 })),
    ...facts.copies.others.map((at) => ({ at, weight: others_weight })),
  ].filter(({ at }) => at > facts.now - policy.day);
  for (const { at, weight } of weighed.sort((one, other) => one.at - other.at)) {
    counted -= weight;
    if (counted <= most) return at + policy.day;
  }
  return facts.now + policy.day;
}
