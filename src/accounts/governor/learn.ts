import type { Outcome } from "../../platforms/index.ts";
import { afterSend, afterWarning } from "./breaker.ts";
import { isSeasoned, memoryAt } from "./pace.ts";
import type { Limit, PaceMemory, Warning, WarningCode } from "./pace-memory.ts";
import { policy } from "./pace-policy.ts";
import type { PaceSettings } from "./pace-settings.ts";
import { countSince, type Facts, type PacedAccount, weighCopies } from "./send-facts.ts";

/** The result of a message as far as pace is concerned. */
export type Noticed =
  | { readonly kind: "sent" }
  | { readonly kind: WarningCode; readonly seconds?: number }
  | { readonly kind: "other" };

/** What Telegram's answer means for the pace. A message that may have arrived counts as sent. */
export function noticedOf(outcome: Outcome): Noticed {
  if (outcome.kind !== "failed") return { kind: "sent" };
  const { code, retryAfterMs } = outcome.error;
  const seconds = retryAfterMs === undefined ? {} : { seconds: Math.ceil(retryAfterMs / 1000) };
  switch (code) {
    case "flood_wait":
    case "slow_mode":
      return { kind: code, ...seconds };
    case "peer_flood":
    case "account_frozen":
      return { kind: code };
    case "no_rights":
    case "banned_in_chat":
      return { kind: "write_forbidden" };
    default:
      return { kind: "other" };
  }
}

/** The memory after a message. `facts` are those the decision was based on. */
export function learn(
  remembered: PaceMemory,
  account: PacedAccount,
  facts: Facts,
  noticed: Noticed,
  settings: PaceSettings,
): PaceMemory {
  const present = memoryAt(remembered, account, settings, facts);
  // A seasoned account was trusted with its actual load, so the cut starts from there, not from a beginner's limit.
  const memory = isSeasoned(present, settings)
    ? {
        ...present,
        perDay: Math.max(present.perDay, Math.min(settings.most_per_day, dayLoad(facts))),
        copies: Math.max(present.copies, copiesLoad(facts, settings)),
      }
    : present;
  if (noticed.kind === "sent") return afterSent(memory, facts, settings);
  if (noticed.kind === "other") return memory;
  return afterWarned(memory, facts, noticed.kind, noticed.seconds, settings);
}

function afterSent(memory: PaceMemory, facts: Facts, settings: PaceSettings): PaceMemory {
  const counted = copiesLoad(facts, settings);
  return {
    ...memory,
    breaker: afterSend(memory.breaker),
    sentClean: memory.sentClean + 1,
    day: { ...memory.day, sent: memory.day.sent + 1, copies: Math.max(memory.day.copies, counted) },
  };
}

function afterWarned(
  memory: PaceMemory,
  facts: Facts,
  code: WarningCode,
  seconds: number | undefined,
  settings: PaceSettings,
): PaceMemory {
  const { now } = facts;
  const warning: Warning = {
    code,
    at: now,
    counts: isAboutPace(code, memory, now),
    ...(seconds !== undefined && { seconds }),
  };
  const warnings = [...memory.warnings, warning];
  if (!warning.counts) return { ...memory, warnings };
  const noted = {
    ...memory,
    warnings,
    sentClean: 0,
    day: { ...memory.day, warned: true },
    quietUntil: Math.max(memory.quietUntil, now + (seconds ?? 0) * 1000),
    breaker: afterWarning(memory.breaker, warnings, settings, now),
  };
  switch (causeOf(memory, facts, code, settings)) {
    case "copies":
      return slowCopies(noted, facts, code, settings);
    case "day":
      return slowDay(noted, facts, warning, settings);
    case "nothing":
      return { ...noted, perDay: Math.max(policy.least.perDay, noted.perDay * (1 - policy.unexplained.cut)) };
  }
}

/**
 * Telegram gives no cause, so the load that exceeds the clean days most is blamed. A restriction rather points to repeated texts, a
 * wait rather to pace. A single wait within a proven load is treated as Telegram's own hiccup.
 */
function causeOf(
  { proven, warnings }: PaceMemory,
  facts: Facts,
  code: WarningCode,
  settings: PaceSettings,
): "day" | "copies" | "nothing" {
  const { restriction, wait, within } = policy.blame;
  const day = dayLoad(facts) / Math.max(1, proven.perDay);
  const copies = copiesLoad(facts, settings) / Math.max(1, proven.copies);
  if (code === "peer_flood") return copies + restriction > day ? "copies" : "day";
  const again = warnings.some(({ counts, at }) => counts && at > facts.now - within);
  if (!again && day <= 1 && copies <= 1) return "nothing";
  return copies - wait > day ? "copies" : "day";
}

/** A slow mode is the chat's own rule, and a single chat that forbids writing says nothing; several within a day do. */
function isAboutPace(code: WarningCode, { warnings }: PaceMemory, now: number): boolean {
  if (code === "slow_mode") return false;
  if (code !== "write_forbidden") return true;
  const { chats, within } = policy.forbiddenStreak;
  return warnings.filter((one) => one.code === code && one.at > now - within).length + 1 >= chats;
}

/** Cuts the daily limit at once, from the actual load rather than from unused trust. */
function slowDay(memory: PaceMemory, facts: Facts, warning: Warning, settings: PaceSettings): PaceMemory {
  const load = dayLoad(facts);
  const alone = memory.warnings.filter(({ counts }) => counts).length === 1;
  const hiccup = warning.code === "flood_wait" && alone && (warning.seconds ?? 0) <= policy.hiccupSeconds;
  const kept = 1 - (settings.slow_down_percent / 100) * (hiccup ? 0.5 : 1);
  const met = Math.min(memory.perDay, Math.max(load, memory.perDay * kept));
  return {
    ...memory,
    perDay: Math.max(
      policy.least.perDay,
      met * kept,
      Math.min(met, memory.proven.perDay) * policy.provenKept,
    ),
    proven: { ...memory.proven, perDay: Math.min(memory.proven.perDay, met * policy.disproved) },
    perDayLimit: limitMet(
      memory.perDayLimit,
      met,
      hiccup ? policy.sureness.hiccup : policy.sureness.floodWait,
    ),
  };
}

function slowCopies(memory: PaceMemory, facts: Facts, code: WarningCode, settings: PaceSettings): PaceMemory {
  const met = Math.min(memory.copies, copiesLoad(facts, settings));
  return {
    ...memory,
    copies: Math.max(
      policy.least.copies,
      met * (1 - settings.slow_down_percent / 100),
      Math.min(met, memory.proven.copies) * policy.provenKept,
    ),
    proven: { ...memory.proven, copies: Math.min(memory.proven.copies, met * policy.disproved) },
    copiesLimit: limitMet(
      memory.copiesLimit,
      met,
      code === "peer_flood" ? policy.sureness.peerFlood : policy.sureness.floodWait,
    ),
  };
}

/** A second warning at about the same load makes the limit more certain. */
function limitMet(earlier: Limit | undefined, met: number, weight: number): Limit {
  const same =
    earlier !== undefined && met >= earlier.met * policy.sameLimit && met <= earlier.met / policy.sameLimit;
  return { met, sureness: (same ? earlier.sureness : 0) + weight };
}

function copiesLoad(facts: Facts, { others_weight }: PaceSettings): number {
  return weighCopies(facts, others_weight, policy.day) + 1;
}

function dayLoad({ sends, now }: Facts): number {
  return countSince(sends, now - policy.day) + 1;
}
