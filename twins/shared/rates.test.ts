import fc from "fast-check";
import { expect, test } from "vitest";
import { createRates } from "./rates.ts";
import { testClock } from "./testing.ts";

test("a call counts everywhere or nowhere", () => {
  const rates = createRates(testClock());
  const narrow = { key: "narrow", count: 1, perMs: 1_000 };
  const wide = { key: "wide", count: 2, perMs: 1_000 };
  expect(rates.take([narrow, wide])).toBeUndefined();
  expect(rates.take([narrow, wide])).toBe(1_000);
  expect(rates.take([wide])).toBeUndefined();
});

test("whoever waits as told is let in, and no window ever holds more than it may", () => {
  const waits = fc.array(
    fc.record({ pause: fc.integer({ min: 0, max: 3_000 }), cost: fc.integer({ min: 1, max: 4 }) }),
  );
  fc.assert(
    fc.property(waits, (calls) => {
      const clock = testClock();
      const rates = createRates(clock);
      const taken: { at: number; cost: number }[] = [];
      for (const { pause, cost } of calls) {
        clock.advance(pause);
        const rate = { key: "a", count: 5, perMs: 2_000, cost };
        const wait = rates.take([rate]);
        if (wait !== undefined) {
          clock.advance(wait);
          expect(rates.take([rate])).toBeUndefined();
        }
        taken.push({ at: clock.now(), cost });
        const recent = taken.filter(({ at }) => at > clock.now() - 2_000);
        expect(recent.reduce((sum, each) => sum + each.cost, 0)).toBeLessThanOrEqual(5);
      }
    }),
  );
});

test("a call dearer than the window passes when the window is empty", () => {
  const clock = testClock();
  const rates = createRates(clock);
  const album = { key: "a", count: 3, perMs: 1_000, cost: 10 };
  expect(rates.take([album])).toBeUndefined();
  expect(rates.take([album])).toBe(1_000);
});
