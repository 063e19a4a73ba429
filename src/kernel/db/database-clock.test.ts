import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { silentLog } from "../log/index.ts";
import { createDatabaseClock } from "./database-clock.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase({ empty: true });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.drop();
});

const databaseTime = async () => {
  const [row] = await database.sql<[{ ms: number }]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  return row.ms;
};

it("a process whose own clock is wrong, and is set again while it runs, lives by the database's time", async () => {
  const right = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => right() + 3_600_000);
  const clock = createDatabaseClock(database.sql, silentLog);
  expect(clock.now().getTime() - right()).toBeGreaterThan(3_500_000);

  await clock.start();
  for (const offMs of [3_600_000, -3_600_000]) {
    vi.spyOn(Date, "now").mockImplementation(() => right() + offMs);
    const before = await databaseTime();
    const now = clock.now().getTime();
    const after = await databaseTime();
    // A date has whole milliseconds, and the comparison is accurate to half of the fastest round trip.
    expect(now).toBeGreaterThan(before - 1_000);
    expect(now).toBeLessThan(after + 1_000);
  }
  await clock.stop();
});

it("a database that is away leaves the time going on", async () => {
  const warnings: string[] = [];
  const clock = createDatabaseClock(database.sql, {
    warn: (_facts: unknown, text?: string) => void warnings.push(text ?? ""),
  });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    await clock.start();
    await database.sql.end();
    const before = clock.now().getTime();
    vi.advanceTimersByTime(20_000);
    await vi.waitFor(() => expect(warnings).toEqual(["the clock could not be compared"]));
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
  } finally {
    vi.useRealTimers();
    await clock.stop();
  }
});
