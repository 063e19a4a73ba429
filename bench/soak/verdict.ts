import { median, rounded } from "../shared/figures.ts";
import type { Sample } from "./sample.ts";

/** The first part still fills the retained data; after it, an early part is compared with the last one. */
export function verdictOf(samples: readonly Sample[]): Record<string, number> {
  const settled = samples.slice(Math.floor(samples.length / 3));
  const early = settled.slice(0, Math.ceil(settled.length / 3));
  const late = settled.slice(-Math.ceil(settled.length / 3));
  const of = (part: readonly Sample[], pick: (sample: Sample) => number) =>
    rounded(median(part.map(pick)), 1);
  return {
    memory_mb_early: of(early, ({ memoryMb }) => memoryMb),
    memory_mb_late: of(late, ({ memoryMb }) => memoryMb),
    tables_mb_early: of(early, ({ tablesMb }) => tablesMb),
    tables_mb_late: of(late, ({ tablesMb }) => tablesMb),
    p99_ms_early: of(early, ({ p99Ms }) => p99Ms),
    p99_ms_late: of(late, ({ p99Ms }) => p99Ms),
    dead_rows_most: Math.max(...settled.map(({ deadRows }) => deadRows)),
    autovacuums: samples.at(-1)?.autovacuums ?? 0,
    sent_per_second: of(settled, ({ sentPerSecond }) => sentPerSecond),
  };
}
