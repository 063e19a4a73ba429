import { intervalMs } from "../plan/modes.ts";
import { ceilingOf, gapOf, isSeasoned, memoryAt } from "./pace.ts";
import type { PaceMemory, Warning, WarningCode } from "./pace-memory.ts";
import { policy } from "./pace-policy.ts";
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
} from "./pace-reasons.ts";
import type { KnownAccount } from "./pace-store.ts";
import { countSince } from "./send-facts.ts";

export type AccountPace = ReturnType<typeof paceFrom>;

/** How fast the account may go today, and why. The fields are described in `paceSchema`. */
export function paceFrom(known: KnownAccount, now: number) {
  const { account, settings, dayStart, sends } = known;
  const memory = memoryAt(known.memory, account, settings, { now, dayStart });
  const ceiling = ceilingOf(memory, account, settings, now);
  const gap = gapOf(ceiling, account, settings);
  const interval = intervalMs(known);
  const { breaker, quietUntil } = memory;
  const isPaced = settings.enabled && !isSeasoned(memory, settings);
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

function warningView(warning: Warning) {
  return { ...warning, at: new Date(warning.at), ...nameOf(warning) };
}

/** The last warning that counted, in words. */
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
  const vouched = isSeasoned(memory, settings);
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

/** Date and time in the account's time zone. */
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

const daysAhead = 90;

/**
 * The first day on which the account may send its whole daily limit, if every day until then is used fully and brings no
 * warning; as that day's midnight. Undefined when it is more than 90 days away.
 */
function fullPaceDay({ memory, account, settings, dailyLimit, dayStart }: KnownAccount): number | undefined {
  const goal = Math.min(dailyLimit, settings.most_per_day);
  let simulated = memoryAt(memory, account, settings, { now: dayStart, dayStart });
  for (let ahead = 0; ahead < daysAhead; ahead += 1) {
    const start = dayStart + ahead * policy.day;
    const noon = start + policy.day / 2;
    simulated = memoryAt(simulated, account, settings, { now: noon, dayStart: start });
    const ceiling = ceilingOf(simulated, account, settings, noon);
    if (ceiling >= goal) return start;
    const { sent, copies, warned } = simulated.day;
    const used = { sent: Math.max(sent, ceiling), copies: Math.max(copies, Math.floor(simulated.copies)) };
    simulated = { ...simulated, day: { start, ...used, warned } };
  }
  return undefined;
}
