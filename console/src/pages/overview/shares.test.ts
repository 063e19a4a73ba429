import { expect, test } from "vitest";
import { sharesOf } from "./shares.ts";

test.each([
  [{}, { sent: 0, failed: 0, waiting: 0, all: 0 }],
  [
    { sent: 8, dead: 1 },
    { sent: 8, failed: 1, waiting: 0, all: 9 },
  ],
  [
    { sent: 2, queued: 3, retry: 1, failed_permanent: 1 },
    { sent: 2, failed: 1, waiting: 4, all: 7 },
  ],
  [
    { sent: 2, withdrawn: 1, deduped: 5 },
    { sent: 3, failed: 0, waiting: 0, all: 3 },
  ],
])("a post with deliveries %j has %j", (deliveries, expected) => {
  expect(sharesOf(deliveries)).toEqual(expected);
});
