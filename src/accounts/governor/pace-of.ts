import { intervalMs } from "../plan/modes.ts";
import { countSince } from "./facts.ts";
import { fullPaceDay } from "./full-pace.ts";
import type { Breaker, PaceMemory, Warning, WarningCode } from "./memory.ts";
import { ceilingOf, gapOf, isVouchedFor, memoryAt } from "./pace.ts";
import { policy } from "./policy.ts";
import {
  counted,
  dayName,
  fill,
  fullPace,
  growing,
  type PaceReasonCode,
  paceReasons,
  type Reason,
  span,
  type Words,
  warningNames,
} from "./reasons.ts";
import type { PaceSettings } from "./settings.ts";
import type { KnownAccount } from "./store.ts";

/** How fast an account may go today, and why. */
export interface AccountPace {
  /** By how much the mode's gaps are stretched. */
  readonly gapFactor: number;
  /** Messages today at most; absent when nothing limits them but the account's own daily limit. */
  readonly todaysCeiling?: number;
  readonly enabled: boolean;
  readonly sentToday: number;
  readonly gapSeconds: number;
  /** How many chats may get one text, or nearly the same one, within a day; absent when nothing limits them. */
  readonly copiesPerText?: number;
  readonly breaker: { readonly state: Breaker["state"]; readonly until?: Date; readonly trialsLeft?: number };
  readonly quietUntil?: Date;
  /** Of the last two weeks, the newest first. */
  readonly warnings: readonly PaceWarning[];
  readonly sentWithoutWarning: number;
  readonly reasons: readonly Reason[];
  readonly settings: PaceSettings;
}

export interface PaceWarning extends Words {
  readonly code: WarningCode;
  readonly at: Date;
  readonly seconds?: number;
  /** Whether it slowed the account down. */
  readonly counts: boolean;
}

export function paceFrom(known: KnownAccount, now: number): AccountPace {
  const { account, settings, dayStart, sends } = known;
  const memory = memoryAt(known.memory, account, settings, { now, dayStart });
  const ceiling = ceilingOf(memory, account, settings, now);
  const gap = gapOf(ceiling, account, settings);
  const interval = intervalMs(known);
  const { breaker, quietUntil } = memory;
  const isPaced = settings.enabled && !isVouchedFor(memory, settings);
  return {
    gapFactor: isPaced && interval !== undefined ? Math.max(1, gap / interval) : 1,
    ...(settings.enabled && breaker.state === "open" && { todaysCeiling: 0 }),
    ...(isPaced && breaker.state !== "open" && { todaysCeiling: ceiling }),
    enabled: settings.enabled,
    sentToday: countSince(sends, dayStart - 1),
    gapSeconds: isPaced ? Math.round(gap / 1000) : 0,
    ...(isPaced && { copiesPerText: copiesOf(memory) }),
    breaker: {
      state: breaker.state,
      ...(breaker.state === "open" && { until: new Date(breaker.until) }),
      ...(breaker.state === "half_open" && { trialsLeft: breaker.trialsLeft }),
    },
    ...(quietUntil > now && { quietUntil: new Date(quietUntil) }),
    warnings: memory.warnings.map(warningView).reverse(),
    sentWithoutWarning: memory.sentClean,
    reasons: reasonsOf(known, memory, ceiling, now),
    settings,
  };
}

function copiesOf({ copies }: PaceMemory): number {
  return Math.max(1, Math.floor(copies));
}

function warningView({ code, at, seconds, counts }: Warning): PaceWarning {
  return {
    code,
    at: new Date(at),
    ...(seconds !== undefined && { seconds }),
    counts,
    ...nameOf({ code, seconds }),
  };
}

/** What Telegram said last about the pace, in words. */
export function lastWarning({ warnings }: PaceMemory): Words {
  const last = warnings.findLast(({ counts }) => counts);
  return last ? nameOf(last) : { ru: "—", en: "—" };
}

function nameOf({ code, seconds }: { code: WarningCode; seconds?: number | undefined }): Words {
  return fill(warningNames[code], { wait: seconds === undefined ? "?" : span(seconds) });
}

function reasonsOf(known: KnownAccount, memory: PaceMemory, ceiling: number, now: number): Reason[] {
  const { settings, account, dailyLimit, timezone } = known;
  const { breaker, quietUntil, perDayLimit, copiesLimit } = memory;
  const reason = (code: PaceReasonCode, facts: Parameters<typeof fill>[1] = {}, until?: number): Reason => ({
    code,
    ...fill(paceReasons[code], facts),
    ...(until !== undefined && { until: new Date(until) }),
  });
  if (!settings.enabled) return [reason("off")];
  const vouched = isVouchedFor(memory, settings);
  const warning = lastWarning(memory);
  const slowed = memory.warnings.some(({ counts }) => counts);
  const young = policy.byAge.some(({ days }) => now - account.connectedAt < days * policy.day);
  const most = Math.min(dailyLimit, settings.most_per_day);
  const held = !vouched && ceiling < most;
  const fullFrom = held ? fullPaceDay(known) : undefined;
  const found = [
    quietUntil > now && reason("flood_wait", { until: clockTime(quietUntil, timezone) }, quietUntil),
    breaker.state === "open" &&
      reason("breaker_open", { until: clockTime(breaker.until, timezone), warning }, breaker.until),
    vouched && reason("seasoned"),
    breaker.state === "half_open" &&
      reason("breaker_trial", {
        trials: counted("moreMessages", breaker.trialsLeft),
        gap: span(settings.trial_gap_minutes * 60),
      }),
    slowed && reason("slowed_down", { warning }),
    held &&
      !slowed &&
      !perDayLimit &&
      reason(
        "warm_up",
        {
          messages: counted("messages", ceiling),
          copies: counted("chats", copiesOf(memory)),
          full: fullFrom === undefined ? growing : fill(fullPace, { most, day: dayName(fullFrom, timezone) }),
        },
        fullFrom,
      ),
    held && perDayLimit && reason("limit_known", { limit: Math.round(perDayLimit.met) }),
    copiesLimit && reason("copies_limit_known", { limit: Math.round(copiesLimit.met) }),
    !held && !vouched && !young && !slowed && reason("full_pace"),
  ];
  return found.filter((one) => one !== false && one !== undefined);
}

/** A time of the account's own zone, with its day. */
export function clockTime(at: number, timezone: string): string {
  const parts = new Intl.DateTimeFormat("ru-RU", {
    timeZone: timezone,
    day: "2-digit",
    month: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  return parts.format(at);
}
