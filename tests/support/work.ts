import { runInNewContext } from "node:vm";
import { expect } from "vitest";

/** Four times the text takes sixteen times as long where work grows with the square: nobody would notice even that. */
const unnoticeableMs = 10;
/** Twice the text is twice the work, or four times when it grows with the square. */
const mostGrowth = 3;
const mostRounds = 5;

/**
 * Checks that twice the text is about twice the work, from a quarter of it to a half or from a half to the whole: somewhere
 * a text begins to be split into messages, which is one step up and not a slope. Measured in processor time, the least of
 * several rounds, so that a busy machine changes nothing; and by growth, so that a slow machine changes nothing either.
 */
export async function expectLinearWork(
  text: (share: number) => string,
  read: (text: string) => unknown,
): Promise<void> {
  const least = new Map<number, number>();
  const measure = async (share: number) => {
    const given = text(share);
    const work = Math.min(least.get(share) ?? Number.POSITIVE_INFINITY, await workOf(() => read(given)));
    least.set(share, work);
    return work;
  };
  for (let round = 0; round < mostRounds; round++) {
    const quarter = await measure(1 / 4);
    if (quarter <= unnoticeableMs) return;
    const half = await measure(1 / 2);
    if (half < quarter * mostGrowth) return;
    if ((await measure(1)) < half * mostGrowth) return;
  }
  expect.fail(`processor time in ms for a quarter, a half and the whole: ${[...least.values()]}`);
}

async function workOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  // A pattern that never ends is stopped, instead of the whole run of tests with it.
  await runInNewContext("run()", { run }, { timeout: 30_000 });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
