import { createContext, Script } from "node:vm";
import { expect } from "vitest";

/** This much work on a whole text is harmless; a part of it may take as much less as quadratic growth allows. */
const unnoticeableMs = 160;
/**
 * Parts of the text and four times as much: one of these pairs has to show it. The smallest is longer than one message. The first
 * and the last have no length in common, so that a single jump cannot be in all of them.
 */
const pairs = [
  [1 / 16, 1 / 4],
  [1 / 8, 1 / 2],
  [1 / 4, 1],
] as const;
/** Four times the text takes four times the work if it is linear, sixteen times if it is quadratic. */
const mostGrowth = 6.4;
const mostRounds = 5;

/**
 * Checks that four times the text takes about four times the work, for at least one pair of lengths: where a text begins to be
 * split into messages, the work jumps once. Measured as the minimum CPU time of several rounds, so that a busy machine does
 * not matter, and as a ratio, so that a slow machine does not matter either.
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
    return { work, isUnnoticeable: work <= unnoticeableMs * share ** 2 };
  };
  for (let round = 0; round < mostRounds; round++) {
    for (const [part, fourTimes] of pairs) {
      if ((await measure(part)).isUnnoticeable) return;
      // Several times: the extra cost of the first run, such as compilation, would hide the growth.
      await measure(part);
      const before = await measure(part);
      if (before.isUnnoticeable) return;
      const after = await measure(fourTimes);
      if (after.isUnnoticeable || after.work < before.work * mostGrowth) return;
    }
  }
  const seen = [...least].map(([share, work]) => `${work} for ${share} of it`);
  expect.fail(`the work grows faster than the text; processor time in ms: ${seen.join(", ")}`);
}

const stoppable = createContext({ run: undefined as unknown });
const script = new Script("run()");

async function workOf(run: () => unknown): Promise<number> {
  stoppable.run = run;
  const before = process.cpuUsage();
  // A pattern that never ends is stopped, so that it does not stop the whole run.
  await script.runInContext(stoppable, { timeout: 30_000 });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
