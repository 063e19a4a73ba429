import type { Settings } from "../model/settings.ts";

/** Token bucket of a chat. */
export interface Patience {
  readonly tokens: number;
  readonly refilledAt: Date;
  /** The chat was told to slow down and has not yet. */
  readonly flooded: boolean;
}

/** Counts a message. A chat that writes too fast is told once, and answered again when the bucket has refilled. */
export function endure(
  before: Patience | undefined,
  { burst, per_minute }: Settings["flood"],
  now: Date,
): { patience: Patience; verdict: "pass" | "tell" | "drop" } {
  const elapsedMs = before ? Math.max(0, now.getTime() - before.refilledAt.getTime()) : 0;
  const tokens = Math.min(burst, (before?.tokens ?? burst) + (elapsedMs / 60_000) * per_minute);
  if (tokens >= 1)
    return { patience: { tokens: tokens - 1, refilledAt: now, flooded: false }, verdict: "pass" };
  const flooded = before?.flooded ?? false;
  return { patience: { tokens, refilledAt: now, flooded: true }, verdict: flooded ? "drop" : "tell" };
}
