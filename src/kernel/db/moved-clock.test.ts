import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import { createJobs, every } from "../jobs/index.ts";
import { silentLog } from "../log/index.ts";
import { createWorker, msUntil } from "../worker/index.ts";
import { createDatabaseClock, moveClock } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await databaseWithJobs();
});
afterAll(() => database.drop());

const day = 86_400_000;

it("moves the time of all processes on, and what was due by then happens", async () => {
  const { sql, url } = database;
  const clock = createDatabaseClock(sql, silentLog, { movable: true });
  const fixed = createDatabaseClock(sql, silentLog);
  const seen: string[] = [];
  const due = new Date(Date.now() + 3 * 3_600_000);
  const worker = createWorker({
    ...{ name: "sleeper", log: silentLog, trouble: "" },
    notices: { sql, channel: "molva_sleeper" },
    safetyNetMs: day,
    async round() {
      if (clock.now() < due) return msUntil(due, clock, 1_000);
      if (!seen.includes("worker")) seen.push("worker");
      return day;
    },
  });
  const note = every("0 4 * * *", "nightly", async () => void seen.push("nightly"));
  const farMonth = ((new Date().getUTCMonth() + 6) % 12) + 1;
  const yearly = every(`0 0 1 ${farMonth} *`, "yearly", async () => void seen.push("yearly"));
  const cron = createJobs({
    ...{ databaseUrl: url, sql, log: silentLog, concurrency: 1, pollIntervalMs: 50 },
    ...{ tasks: [note.task, yearly.task], cron: [note, yearly] },
  });
  for (const service of [clock, fixed, worker, cron]) await service.start();
  try {
    await moveClock(sql, day);
    await until(
      "the clock has moved",
      async () => clock.now().getTime() - fixed.now().getTime() > day - 5_000,
    );
    await until("the worker and the job have noticed", async () => seen.length === 2);
    expect(seen.toSorted()).toEqual(["nightly", "worker"]);
    expect(Math.abs(fixed.now().getTime() - Date.now())).toBeLessThan(5_000);
    await expect(moveClock(sql, -1)).rejects.toThrow("only forward");
  } finally {
    for (const service of [cron, worker, fixed, clock]) await service.stop();
  }
});
