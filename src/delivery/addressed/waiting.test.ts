import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { createMonitor } from "../monitor/monitor.ts";
import { monitorDeps } from "../monitor/testing/monitor-deps.ts";
import { aWorkspace } from "../testing/builders.ts";
import { personWaitsMs } from "./publish.ts";
import { stopWaiting } from "./stop-waiting.ts";
import { aConnection, publish, published, told } from "./testing/addressed-queue.ts";

let database: TestDatabase;
let clock: ManualClock;
let workspace: string;
let connection: string;
beforeAll(async () => {
  database = await databaseWithJobs();
});
afterAll(() => database.drop());
beforeEach(async () => {
  clock = manualClock(new Date("2026-11-15T12:00:00Z"));
  workspace = await aWorkspace(database.sql);
  connection = await aConnection(database.sql, workspace);
});

const waitedFor = () =>
  published(
    publish(database.sql, workspace, [connection], clock, {
      waitUntil: new Date(clock.now().getTime() + personWaitsMs),
    }),
  );
const sweep = () => stopWaiting(database.sql, clock.now());
const ends = async () =>
  (await told(database.sql, workspace)).map(({ outcome, in_doubt }) => ({ outcome, in_doubt }));
const statusOf = async (id: string) => {
  const [row] =
    await database.sql`select status, last_error from delivery.deliveries where delivery_id = ${id}`;
  return row;
};

const claim = () => database.sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${clock.now()})`;
async function sending() {
  await claim();
  const [started] = await database.sql<
    { delivery_id: string; claim_token: string; wait_until: Date | null }[]
  >`
    select * from delivery.start_sending(${workspace}, 'run', 10, ${clock.now()})`;
  if (!started) throw new Error("nothing could be started");
  return started;
}
async function settle(
  { delivery_id, claim_token: token }: Awaited<ReturnType<typeof sending>>,
  outcome: object,
) {
  await database.sql`select delivery.settle_deliveries(
    ${workspace}, ${JSON.stringify([{ delivery_id, token, ...outcome }])}::text::jsonb, ${clock.now()})`;
}
const transient = {
  kind: "failed",
  error: { category: "TRANSIENT", scope: "delivery", code: "server_error", message: "площадка не отвечает" },
};

describe("a post that a person waits for", () => {
  // covers addressed: Nobody waits for ever
  it("is called off when it still waits after three minutes, not a moment before, and its product is told", async () => {
    const id = await waitedFor();
    clock.advance(179_999);
    expect(await sweep()).toBe(0);
    clock.advance(1);
    expect(await sweep()).toBe(1);
    expect(await statusOf(id)).toMatchObject({
      status: "failed_permanent",
      last_error: { code: "cancelled", message: "it was not sent while a person waited for it" },
    });
    expect(await ends()).toEqual([{ outcome: "cancelled", in_doubt: false }]);
    expect(await sweep()).toBe(0);
  });

  it("is called off with a slot in hand, which nobody can start any more", async () => {
    await waitedFor();
    await claim();
    clock.advance(personWaitsMs);
    expect(await sweep()).toBe(1);
    expect(
      await database.sql`select * from delivery.start_sending(${workspace}, 'run', 10, ${clock.now()})`,
    ).toEqual([]);
  });

  it("is called off while it waits for another try, and says what kept it", async () => {
    const id = await waitedFor();
    await settle(await sending(), transient);
    clock.advance(personWaitsMs);
    expect(await sweep()).toBe(1);
    expect(await statusOf(id)).toMatchObject({
      last_error: {
        code: "cancelled",
        cause: "server_error",
        message: expect.stringContaining("площадка не отвечает"),
      },
    });
    expect(await ends()).toEqual([{ outcome: "cancelled", in_doubt: false }]);
  });

  it("is let end while it is being sent: what arrives then has arrived", async () => {
    await waitedFor();
    const held = await sending();
    clock.advance(personWaitsMs);
    expect(await sweep()).toBe(0);
    await settle(held, { kind: "sent", provider_message_id: "1" });
    expect(await ends()).toEqual([{ outcome: "sent", in_doubt: false }]);
  });

  // covers addressed: Nobody waits for ever
  it("is not called off while it may have arrived: its next attempt is told that nobody waits any more", async () => {
    const id = await waitedFor();
    const until = new Date(clock.now().getTime() + personWaitsMs);
    await settle(await sending(), { kind: "unknown", error: { code: "timeout", message: "?" } });
    clock.advance(personWaitsMs);
    expect(await sweep()).toBe(0);
    expect(await statusOf(id)).toMatchObject({ status: "retry" });
    clock.advance(600_000);
    const again = await sending();
    expect(again.wait_until).toEqual(until);
    await settle(again, {
      ...{ kind: "failed", reconciled: "absent" },
      error: { category: "PERMANENT", scope: "delivery", code: "cancelled", message: "поздно" },
    });
    expect(await ends()).toEqual([{ outcome: "cancelled", in_doubt: false }]);
  });

  it("that an operator sends again is not called off a second time", async () => {
    const id = await waitedFor();
    clock.advance(personWaitsMs);
    await sweep();
    await database.sql`select * from delivery.requeue(${workspace}, ${[id]}, 'op', 'нужен', ${clock.now()})`;
    expect(await sweep()).toBe(0);
    const again = await sending();
    expect(again.wait_until).toBeNull();
    await settle(again, { kind: "sent", provider_message_id: "1" });
    expect((await ends()).map(({ outcome }) => outcome)).toEqual(["cancelled", "sent"]);
  });

  it("is called off once, however many look, and while a dispatcher would start it", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, waitedFor));
    await database.sql`update delivery.channels set max_parallel = 8 where channel_id = ${connection}`;
    await claim();
    clock.advance(personWaitsMs);
    const [started] = await Promise.all([
      database.sql<{ delivery_id: string }[]>`
        select delivery_id from delivery.start_sending(${workspace}, 'run', 10, ${clock.now()})`,
      sweep(),
      sweep(),
      sweep(),
    ]);
    await sweep();
    const calledOff = await told(database.sql, workspace);
    expect(calledOff.map(({ delivery_id }) => delivery_id).sort()).toEqual(
      ids.filter((id) => !started.some(({ delivery_id }) => delivery_id === id)).sort(),
    );
  });
});

// covers addressed: Nobody waits for ever
it("the monitor looks for what people have waited for too long", async () => {
  const id = await waitedFor();
  clock.advance(personWaitsMs);
  const { deps, close } = monitorDeps({ sql: database.sql, clock });
  const monitor = createMonitor({ ...deps, leasesEveryMs: 20 });
  await monitor.start();
  await expect.poll(async () => (await statusOf(id))?.status).toBe("failed_permanent");
  await monitor.stop();
  await close();
});

it("nobody is kept waiting for what no person waits for", async () => {
  const id = await published(publish(database.sql, workspace, [connection], clock));
  clock.advance(24 * 3_600_000);
  expect(await sweep()).toBe(0);
  expect(await statusOf(id)).toMatchObject({ status: "queued" });
});
