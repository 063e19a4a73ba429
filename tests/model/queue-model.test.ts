import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { operation } from "./operation.ts";
import { realQueue } from "./real-queue.ts";
import { walk } from "./walk.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ max: 4 });
});
afterAll(() => database.drop());

const operations = Number(process.env.MOLVA_MODEL_OPERATIONS ?? 10_000);
const perWalk = 100;

it("whatever is done to the queue, by several at once too, leaves it as the model of the queue says", async () => {
  // Leases are taken back in every workspace at once, so that later walks must not happen before earlier ones.
  let begin = new Date("2026-11-15T12:00:00Z").getTime();
  let walks = 0;
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: perWalk, maxLength: perWalk }),
    async (steps) => {
      walks += 1;
      begin += 7 * 24 * 3_600_000;
      const real = await realQueue(database.sql);
      try {
        await walk(real, steps, begin);
      } finally {
        await real.forget();
      }
    },
  );
  await fc.assert(property, { numRuns: Math.ceil(operations / perWalk) });
  expect(walks * perWalk).toBeGreaterThanOrEqual(operations);
}, 600_000);
