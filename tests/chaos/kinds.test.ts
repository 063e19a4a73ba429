import { describe, expect, inject, it } from "vitest";
import type { Kind } from "./kinds.ts";
import { whyNoSmallDisk } from "./small-disk.ts";
import { storm } from "./storm.ts";

/** With a net for what hangs. */
const whole = { timeout: 600_000 } as const;

describe(
  "a storm of one kind of trouble loses nothing, doubles only what nobody could know, and keeps the order",
  whole,
  () => {
    // Three or four at a time: most of a storm is waiting.
    describe("of clocks, processes and names", () => {
      it.concurrent("when clocks jump by an hour and back, that of the database's machine too", () =>
        survived("clocks", 2));
      it.concurrent("when PostgreSQL is killed", () => survived("database"));
      it.concurrent("when the messengers' name leads elsewhere or nowhere", () => survived("names"));
    });
    describe("of machines and what they run out of", () => {
      it.concurrent("when the primary is lost for good and its standby takes over", () =>
        survived("standby"));
      it.concurrent("when messengers answer a byte a second", () => survived("slow"));
      it.concurrent("when PostgreSQL has no connection left", () => survived("connections"));
      it.concurrent("when the disk of PostgreSQL is full", ({ skip }) => {
        const reason = whyNoSmallDisk();
        skip(reason !== undefined, reason);
        return survived("disk");
      });
    });
  },
);

/** Strikes so often; what every kind does is in kinds.ts. */
async function survived(kind: Kind, restarts = 1): Promise<void> {
  const report = await storm(
    {
      ...{ seed: inject("seed"), kind, restarts },
      ...{ seconds: 4, kills: 0, deliveries: 40 },
      chats: { telegram: 14, max: 9 },
      chatsPerPost: { telegram: 6, max: 4 },
      networks: 1,
      processes: { api: 1, dispatcher: 1, monitor: 1 },
    },
    () => undefined,
  );
  // The pace is judged where the machine is quiet, by `npm run chaos`: here the twins share it with other tests, and read late what was
  // sent in time.
  expect(report.violations.filter((violation) => !violation.startsWith("too fast"))).toEqual([]);
  expect(report).toMatchObject({
    ...{ lost: 0, doubled_reconcilable: 0, doubled_at_most_once: 0, out_of_order: 0 },
  });
  expect(report.troubles).toBeGreaterThanOrEqual(restarts);
  expect(report.accepted).toBeGreaterThan(3);
  expect(report.sent).toBeGreaterThan(20);
}
