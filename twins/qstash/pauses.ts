import { longestPauseMs, retryPauseMs, units } from "./limits.ts";
import { delayOf } from "./retry-delay.ts";

/** `30m`, `1h30m`, `10s`; undefined if it is none. */
export function durationMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d{1,9})([smhd])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return undefined;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unitOf(unit)], 0);
}

const unitOf = (unit: string | undefined) => (unit === "m" || unit === "h" || unit === "d" ? unit : "s");

/** Which headers of an answer say when to come back, the first that can be read. */
const askedBy = [
  "retry-after",
  "x-ratelimit-reset",
  "x-ratelimit-reset-requests",
  "x-ratelimit-reset-tokens",
];

export interface Failed {
  readonly headers: Readonly<Record<string, string>>;
  /** How often it was retried already. */
  readonly retried: number;
  readonly retryDelay: string | null;
  readonly now: number;
}

/** How long a message waits for its next attempt: as the receiver asks, as the message says, or as QStash does. */
export function pauseMs({ headers, retried, retryDelay, now }: Failed): number {
  for (const name of askedBy) {
    const asked = headers[name] === undefined ? undefined : askedMs(headers[name], now);
    if (asked !== undefined) return Math.min(longestPauseMs, asked);
  }
  const own = retryDelay === null ? undefined : delayOf(retryDelay, retried);
  return own === undefined ? retryPauseMs(retried + 1) : Math.min(longestPauseMs, Math.max(0, own));
}

/** Seconds, an HTTP date, or `6m5s`. */
function askedMs(value: string, now: number): number | undefined {
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const duration = durationMs(value);
  if (duration !== undefined) return duration;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
