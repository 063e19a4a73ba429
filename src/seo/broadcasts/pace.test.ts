import { expect, it } from "vitest";
import { createPace, perSecond } from "./pace.ts";

/** Messages by a clock that jumps, each after what happens between its turn and its leaving; the most within any second. */
async function mostWithinASecond(heldUpMs: (message: number) => number): Promise<number> {
  let now = 0;
  const pace = createPace({
    now: () => now,
    async rest(ms) {
      now += ms;
      return true;
    },
  });
  const left: number[] = [];
  for (let message = 0; message < 400; message++) {
    expect(await pace.turn(new AbortController().signal)).toBe(true);
    now += heldUpMs(message);
    pace.leave();
    left.push(now);
  }
  return Math.max(...left.map((from) => left.filter((at) => at >= from && at < from + 1_000).length));
}

// covers seo: F20
it("lets twenty leave within a second, and no more when the database is held up from time to time", async () => {
  expect(await mostWithinASecond(() => 0)).toBe(perSecond);
  const heldUp = (message: number) => (message % 7 === 0 ? 130 : 0) + (message % 90 === 0 ? 2_500 : 0);
  expect(await mostWithinASecond(heldUp)).toBeLessThanOrEqual(perSecond);
});
