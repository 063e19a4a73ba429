import { expect, test } from "vitest";
import { countsOf, statuses, totalOf } from "./queue.ts";

const queue = {
  queued: 1,
  claimed: 2,
  sending: 4,
  retry: 8,
  sent: 16,
  deduped: 32,
  failed_permanent: 64,
  dead: 128,
};

test("deliveries that are taken and deliveries under way count as being sent", () => {
  expect(countsOf(queue).sending).toBe(6);
});

test("every delivery is counted in exactly one status", () => {
  const counts = countsOf(queue);
  expect(statuses.reduce((sum, status) => sum + counts[status], 0)).toBe(totalOf(queue));
});
