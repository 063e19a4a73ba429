/** The value below which the given part of all values lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** With an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** How much of memory was used when so much was sent. */
export interface MemoryPoint {
  readonly sent: number;
  readonly megabytes: number;
}

/** Megabytes that each one more sent adds, by least squares; the first point still belongs to warming up. */
export function growth([, ...points]: readonly MemoryPoint[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(points.map(({ sent }) => sent));
  const y = mean(points.map(({ megabytes }) => megabytes));
  const rise = points.reduce((sum, { sent, megabytes }) => sum + (sent - x) * (megabytes - y), 0);
  const run = points.reduce((sum, { sent }) => sum + (sent - x) ** 2, 0);
  return rise / run;
}
