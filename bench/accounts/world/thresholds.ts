import type { Random } from "../random.ts";
import { distributions as d } from "./distributions.ts";

/** What Telegram tolerates of one account. Known only to the simulated Telegram and to the optimum. */
export interface Thresholds {
  readonly kind: keyof typeof d.kinds;
  readonly start: number;
  readonly ripening: number;
  readonly perDay: number;
  readonly hourShare: number;
  readonly gapSeconds: number;
  readonly copies: number;
  readonly othersWeight: number;
  readonly patience: number;
  readonly far: number;
}

/** The thresholds of one moment of an account's life. */
export interface Tolerance {
  readonly perDay: number;
  readonly perHour: number;
  readonly gapMs: number;
  readonly copies: number;
}

export function drawThresholds(random: Random): Thresholds {
  const kind = random.weighted({
    fresh: d.kinds.fresh.weight,
    ordinary: d.kinds.ordinary.weight,
    old: d.kinds.old.weight,
  });
  const [least, most] = d.kinds[kind].start;
  return {
    kind,
    start: random.between(least, most),
    ripening: random.between(...d.ripening),
    perDay: clip(random.logNormal(d.perDay.median, d.perDay.sigma), d.perDay.min, d.perDay.max),
    hourShare: random.between(...d.perHour.share),
    gapSeconds: random.logNormal(d.gap.median, d.gap.sigma),
    copies: random.logNormal(d.copies.median, d.copies.sigma),
    othersWeight: random.between(...d.copies.othersWeight),
    patience: random.whole(...d.patience.warnings),
    far: random.between(...d.far.factor),
  };
}

export function toleranceAt(thresholds: Thresholds, ageDays: number): Tolerance {
  const { start, ripening } = thresholds;
  const trust = start + (1 - start) * (1 - Math.exp(-ageDays / ripening));
  const perDay = Math.max(d.perDay.floor, thresholds.perDay * trust);
  return {
    perDay,
    perHour: Math.max(d.perHour.floor, perDay * thresholds.hourShare),
    gapMs: Math.min(d.gap.max, thresholds.gapSeconds / trust) * 1000,
    copies: Math.max(d.copies.floor, thresholds.copies * trust),
  };
}

function clip(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
