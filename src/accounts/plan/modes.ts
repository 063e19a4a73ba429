/** How fast an account publishes. */
export const modes = ["safe", "normal", "aggressive", "smart", "fix"] as const;
export type Mode = (typeof modes)[number];

/** Minutes between two publications; smart spreads them evenly over what is left of the window. */
export const intervalMinutes: Readonly<Record<Exclude<Mode, "smart" | "fix">, number>> = {
  safe: 10,
  normal: 5,
  aggressive: 2,
};

/** Of the mode `fix` while its own is unset. */
export const usualIntervalMinutes = 5;

/** Added to every gap but smart's: whole seconds, each as likely as the other. */
export const jitterSeconds = { from: 1, to: 99 } as const;

export interface Pace {
  readonly mode: Mode;
  readonly fixIntervalMinutes: number | null;
  /** By how much the governor stretches the gaps, and the shortest one where the mode has none of its own. */
  readonly gapFactor?: number | undefined;
  readonly gapSeconds?: number | undefined;
  /** The shortest gap that the limiter lets through again and again. */
  readonly limiterSeconds?: number | undefined;
}

/** The gap without its jitter, or nothing for smart. */
export function intervalMs({ mode, fixIntervalMinutes, gapFactor = 1 }: Pace): number | undefined {
  if (mode === "smart") return undefined;
  const minutes = mode === "fix" ? (fixIntervalMinutes ?? usualIntervalMinutes) : intervalMinutes[mode];
  return Math.round(minutes * 60_000 * gapFactor);
}

/** Where chance comes from: at least 0, less than 1. */
export type Chance = () => number;

export function jitterMs(chance: Chance): number {
  const { from, to } = jitterSeconds;
  return (from + Math.floor(chance() * (to - from + 1))) * 1000;
}
