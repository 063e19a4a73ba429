import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { chooseSeed, regressionSeed, toRepeat } from "./seed.ts";

it("every run has a seed of its own, says how to repeat it, and takes the one it is given", () => {
  const chosen = new Set(Array.from({ length: 20 }, () => chooseSeed(undefined)));
  expect(chosen.size).toBeGreaterThan(15);
  expect([chooseSeed(undefined, () => 0), chooseSeed(undefined, () => 0.999_999_999_9)]).toEqual([
    1, 2_147_483_647,
  ]);
  expect(chooseSeed(String(regressionSeed))).toBe(regressionSeed);
  expect(toRepeat(7)).toContain("MOLVA_TEST_SEED=7 npm test");
  for (const wrong of ["random", "0", "-1", "1.5", "2147483648"])
    expect(() => chooseSeed(wrong)).toThrow(/MOLVA_TEST_SEED is a whole number/);
});

it("the run's seed decides the inputs of every property", () => {
  expect(fc.readConfigureGlobal()?.seed).toBe(inject("seed"));
  expect(fc.sample(fc.integer(), 3)).toEqual(fc.sample(fc.integer(), { numRuns: 3, seed: inject("seed") }));
});
