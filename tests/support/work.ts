import { runInNewContext } from "node:vm";
import { expect } from "vitest";

/** Nobody notices it; a reader whose work grows with the square needs seconds for 100 KB. */
const unnoticeableMs = 100;
const share = 1 / 8;
/** Eight times the text is eight times the work, or sixty-four times when it grows with the square. */
const mostGrowth = 24;

/**
 * Checks that eight times the text is about eight times the work. Measured in processor time, the least of several runs, so
 * that a busy machine changes nothing; and by growth, so that a slow machine changes nothing either.
 */
export async function expectLinearWork(
  text: (share: number) => string,
  read: (text: string) => unknown,
): Promise<void> {
  const whole = text(1);
  const part = text(share);
  let work = await workOf(() => read(whole));
  if (work <= unnoticeableMs) return;
  let workOfPart = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    workOfPart = Math.min(workOfPart, await workOf(() => read(part)));
    work = Math.min(work, await workOf(() => read(whole)));
  }
  expect(work <= unnoticeableMs || work < workOfPart * mostGrowth, `${workOfPart} ms, then ${work} ms`).toBe(
    true,
  );
}

async function workOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  // A pattern that never ends is stopped, instead of the whole run of tests with it.
  await runInNewContext("run()", { run }, { timeout: 30_000 });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
