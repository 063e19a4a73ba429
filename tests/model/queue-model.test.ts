import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Sql } from "../../src/kernel/db/index.ts";
import { databaseWithJobs, type TestDatabase } from "../support/database.ts";
import { regressionSeed } from "../support/seed.ts";
import { operation } from "./operation.ts";
import { realQueue } from "./real-queue.ts";
import { walk } from "./walk.ts";

/** One for each core of a small machine: walks in different databases do not meet. */
let databases: TestDatabase[];
beforeAll(async () => {
  databases = await Promise.all([databaseWithJobs({ max: 4 }), databaseWithJobs({ max: 4 })]);
});
afterAll(() => Promise.all(databases.map((database) => database.drop())));

const operations = Number(process.env.MOLVA_MODEL_OPERATIONS ?? 2_500);
const perWalk = 100;
/** Leases are taken back in every workspace at once, so that later walks must not happen before earlier ones. */
let begin = new Date("2026-11-15T12:00:00Z").getTime();

describe("whatever is done to the queue, by several at once too, leaves it as the model of the queue says", () => {
  it.each([
    ["in walks of this run's seed", () => inject("seed"), 0.8],
    ["in walks of the seed that every run had before", () => regressionSeed, 0.2],
  ])(
    "and agrees with it after every step: %s",
    async (_, seed, share) => {
      const wanted = operations * share;
      const walks = await Promise.all(
        databases.map(({ sql }, index) => walkOften(sql, wanted / databases.length, seed() + index)),
      );
      expect(walks.reduce((sum, count) => sum + count) * perWalk).toBeGreaterThanOrEqual(wanted);
    },
    600_000,
  );
});

async function walkOften(sql: Sql, atLeast: number, seed: number): Promise<number> {
  let walks = 0;
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: perWalk, maxLength: perWalk }),
    async (steps) => {
      walks += 1;
      begin += 7 * 24 * 3_600_000;
      const real = await realQueue(sql);
      try {
        await walk(real, steps, begin);
      } finally {
        await real.forget();
      }
    },
  );
  // A random walk cannot be shrunk: its seed and the step are enough to repeat it.
  await fc.assert(property, { seed, numRuns: Math.ceil(atLeast / perWalk), endOnFailure: true });
  return walks;
}
