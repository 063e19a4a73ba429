import type { Breaker, Warning } from "./pace-memory.ts";
import { policy } from "./pace-policy.ts";
import type { PaceSettings } from "./pace-settings.ts";

/** The breaker at `now`: once its time is over, an open breaker becomes half open. */
export function breakerAt(breaker: Breaker, settings: PaceSettings, now: number): Breaker {
  if (breaker.state !== "open" || now < breaker.until) return breaker;
  return { state: "half_open", trialsLeft: settings.trial_sends, hours: breaker.hours };
}

export function afterSend(breaker: Breaker): Breaker {
  if (breaker.state !== "half_open") return breaker;
  const trialsLeft = breaker.trialsLeft - 1;
  return trialsLeft > 0 ? { ...breaker, trialsLeft } : { state: "closed" };
}

/** The last of `warnings` is the new one. */
export function afterWarning(
  breaker: Breaker,
  warnings: readonly Warning[],
  settings: PaceSettings,
  now: number,
): Breaker {
  const last = warnings.at(-1);
  if (!last?.counts) return breaker;
  const hours = hoursOf(last, settings);
  if (breaker.state !== "closed") return opened(Math.max(hours, breaker.hours * 2), now);
  const recent = warnings.filter(({ counts, at }) => counts && at > now - policy.breaker.within).length;
  const atOnce = last.code === "peer_flood" || last.code === "account_frozen";
  return atOnce || recent >= settings.breaker_warnings ? opened(hours, now) : breaker;
}

function hoursOf({ code }: Warning, settings: PaceSettings): number {
  if (code === "peer_flood") return Math.max(policy.breaker.peerFloodHours, settings.breaker_hours);
  if (code === "account_frozen") return Math.max(policy.breaker.frozenHours, settings.breaker_hours);
  return settings.breaker_hours;
}

function opened(wanted: number, now: number): Breaker {
  const hours = Math.min(policy.breaker.mostHours, wanted);
  return { state: "open", until: now + hours * policy.hour, hours };
}
