import type { Settings } from "../model/settings.ts";

/** How many messages a chat may still send at once. */
export interface Patience {
  readonly tokens: number;
  readonly refilledAt: Date;
  /** The chat has been told to slow down and has not done so yet. */
  readonly flooded: boolean;
}

/** One message more. Whoever writes too fast is told once, and is answered again when the bucket has refilled. */
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
