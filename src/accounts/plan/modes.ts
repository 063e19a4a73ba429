export const modes = ["safe", "normal", "aggressive", "smart", "fix"] as const;
export type Mode = (typeof modes)[number];

/** Minutes between two publications; smart spreads them evenly over what is left of the window. */
const intervalMinutes: Readonly<Record<Exclude<Mode, "smart" | "fix">, number>> = {
  safe: 10,
  normal: 5,
  aggressive: 2,
};

/** Default of the mode `fix`. */
const usualIntervalMinutes = 5;

/** Random extra of every gap, in whole seconds; not in the mode smart. */
export const jitterSeconds = { from: 1, to: 99 } as const;

export interface Pace {
  readonly mode: Mode;
  readonly fixIntervalMinutes: number | null;
  /** Set by the governor: the factor of the gaps, and the minimum gap for the mode smart. */
  readonly gapFactor?: number | undefined;
  readonly gapSeconds?: number | undefined;
  /** The smallest gap that the limiter always allows. */
  readonly limiterSeconds?: number | undefined;
}

/** The gap without jitter; undefined for smart. */
export function intervalMs({ mode, fixIntervalMinutes, gapFactor = 1 }: Pace): number | undefined {
  if (mode === "smart") return undefined;
  const minutes = mode === "fix" ? (fixIntervalMinutes ?? usualIntervalMinutes) : intervalMinutes[mode];
  return Math.round(minutes * 60_000 * gapFactor);
}

/** Random number in [0, 1). */
export type Chance = () => number;

export function jitterMs(chance: Chance): number {
  const { from, to } = jitterSeconds;
  return (from + Math.floor(chance() * (to - from + 1))) * 1000;
}
