import { qstashHarness } from "../../../tests/support/qstash-harness.ts";
import { type DriverWorld, driverSuite } from "../../../tests/support/schedules/driver-suite.ts";
import { nextFiring, readCron } from "../../../twins/qstash/cron.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createOwnClock, createOwnDriver } from "../schedules/own-driver.ts";
import { netAfterMs } from "./driver.ts";

const second = 1_000;
/** The pauses before QStash's retries. */
const retriesMs = [12 * second, 148 * second, 1_808 * second];

async function qstashWorld(from: Date): Promise<DriverWorld> {
  const harness = await qstashHarness({ waits: { mostMs: 0 } });
  const { sql, clock, driver } = harness;
  clock.set(from);
  const net = createOwnClock({ sql, clock, log: silentLog, lateMs: netAfterMs });
  const looks = async () => {
    while ((await net.round()) === 0);
  };

  /** Stops at every firing on the way, and a little later at each retry. */
  async function walk(instant: Date, look: () => Promise<void>): Promise<void> {
    for (;;) {
      const now = clock.now().getTime();
      const firings = (await harness.remote()).map(({ cron }) => {
        const read = readCron(cron);
        return (read && nextFiring(read, now)) ?? Number.POSITIVE_INFINITY;
      });
      const next = Math.min(...firings, now + 6 * 3_600 * second);
      if (next >= instant.getTime()) break;
      clock.set(new Date(next));
      await harness.run();
      for (const pause of retriesMs) {
        clock.advance(pause);
        await harness.run();
      }
      await look();
    }
    if (clock.now() < instant) clock.set(instant);
  }

  return {
    ...{ sql, clock, driver, other: createOwnDriver({ sql, clock }) },
    async walkTo(instant) {
      await walk(instant, looks);
      await harness.run();
      await looks();
    },
    async awayUntil(instant) {
      // Whatever QStash sends meanwhile is not taken.
      await harness.control("PATCH", "/options", { flaw: "missing" });
      await walk(instant, async () => {});
      await harness.control("PATCH", "/options", { flaw: null });
      await looks();
    },
    known: async () => (await harness.remote()).length,
    close: () => harness.close(),
  };
}

driverSuite("QStash", qstashWorld);
