import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { lastingConnection, type Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { why } from "../deliveries/why.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";
import { createPresence, type Presence } from "./presence.ts";

let database: TestDatabase;
let sql: Sql;
let workspace: string;
const lines: Sql[] = [];
const start = new Date("2026-11-15T12:00:00Z");
const later = (seconds: number) => new Date(start.getTime() + seconds * 1_000);

beforeAll(async () => {
  database = await testDatabase();
  sql = database.sql;
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aWorkspace(sql);
});
afterEach(async () => {
  await Promise.all(lines.splice(0).map((line) => line.end()));
  await sql`delete from delivery.dispatcher_runs`;
});

/** A joined dispatcher as the database sees it: a connection. */
async function aRun(runId: string): Promise<Sql> {
  const line = lastingConnection(sql);
  lines.push(line);
  await line`select delivery.join_run(${runId}, ${start})`;
  return line;
}

/** As `kill -9` does: the connection closes and nothing else happens. */
async function killed(line: Sql): Promise<void> {
  const [backend] = await line<[{ pid: number }]>`select pg_backend_pid() as pid`;
  await line.end();
  await until("the server has noticed", async () => {
    const left = await sql`select from pg_stat_activity where pid = ${backend.pid}`;
    return left.length === 0;
  });
}

/** Two posts of one channel: the run is sending the first and has claimed the second. */
async function inHandOf(runId: string): Promise<{ sending: string; claimed: string; token: string }> {
  await aChannel(sql, workspace, { max_parallel: 1 });
  await enqueue(sql, workspace, "Первый", { now: start });
  await enqueue(sql, workspace, "Второй", { now: later(0.001) });
  const claims = await sql<{ delivery_id: string }[]>`
    select delivery_id from delivery.claim_deliveries(${workspace}, ${runId}, 10, ${later(0.002)})`;
  const [started] = await sql<[{ delivery_id: string; claim_token: string }]>`
    select delivery_id, claim_token from delivery.start_sending(${workspace}, ${runId}, 10, ${later(0.003)})`;
  const claimed = claims.find(({ delivery_id }) => delivery_id !== started.delivery_id);
  if (!claimed) throw new Error("the second post was not claimed");
  return { sending: started.delivery_id, claimed: claimed.delivery_id, token: started.claim_token };
}

const look = (now: Date) => sql<{ was: string; status: string }[]>`
  select was, status from delivery.recover_runs(interval '30 seconds', ${now}) order by was`;

const reasonOf = async (id: string, now: Date) => (await why(sql, workspace, id, now))?.reason;

// covers autoposting: Point 30
it("what a process had in progress that is gone is taken over within seconds, not after its leases", async () => {
  const line = await aRun("gone");
  const { sending, claimed } = await inHandOf("gone");
  expect(await reasonOf(sending, later(1))).toBe("sending");
  await killed(line);

  expect(await look(later(1))).toEqual([]);
  expect(await reasonOf(sending, later(2))).toBe("process_gone");
  expect(await look(later(4))).toEqual([]);
  expect([...(await look(later(6)))]).toEqual([
    { was: "claimed", status: "queued" },
    { was: "sending", status: "retry" },
  ]);

  // By the time another process looks up the post, the request of a process that was only cut off has ended.
  const rows = await sql`
    select delivery_id, next_retry_at, last_error ->> 'code' as code, last_error ->> 'cause' as cause, attempt
    from delivery.deliveries where workspace_id = ${workspace} order by delivery_id`;
  expect([...rows]).toEqual([
    {
      delivery_id: sending,
      next_retry_at: later(36),
      code: "outcome_unknown",
      cause: "process_gone",
      attempt: 1,
    },
    { delivery_id: claimed, next_retry_at: null, code: null, cause: null, attempt: 0 },
  ]);
  const events = await sql`
    select action, meta from workspaces.events where workspace_id = ${workspace} and result = 'error' order by action`;
  expect([...events]).toEqual([
    { action: "claimed_lease_expired", meta: { run_id: "gone", reason: "process_gone" } },
    { action: "sending_lease_expired", meta: { run_id: "gone", reason: "process_gone" } },
  ]);
  expect(await reasonOf(sending, later(7))).toBe("outcome_unknown");
  // The run is removed.
  expect(await look(later(7))).toEqual([]);
  expect(await sql`select from delivery.dispatcher_runs`).toHaveLength(0);
});

it("a delivery that waits for the place of a process that is gone says so", async () => {
  const line = await aRun("gone");
  await inHandOf("gone");
  await enqueue(sql, workspace, "Третий", { now: later(1) });
  const [waiting] = await sql<[{ delivery_id: string }]>`
    select delivery_id from delivery.deliveries where workspace_id = ${workspace} and status = 'queued'`;
  expect(await reasonOf(waiting.delivery_id, later(2))).toBe("max_parallel");
  await killed(line);
  await look(later(3));
  expect(await why(sql, workspace, waiting.delivery_id, later(4))).toMatchObject({
    reason: "process_gone",
    since: later(3),
    expected_at: later(8),
  });
});

it("a process that lost its connection and came back keeps what it has, and what it sent is settled", async () => {
  const line = await aRun("cut off");
  const { sending, token } = await inHandOf("cut off");
  await killed(line);
  await look(later(1));
  await aRun("cut off");
  expect(await look(later(7))).toEqual([]);
  const settled = await sql`
    select applied, status from delivery.settle_deliveries(${workspace},
      ${sql.json([{ delivery_id: sending, token, kind: "sent", provider_message_id: "1" }])}, ${later(8)})`;
  expect([...settled]).toEqual([{ applied: true, status: "sent" }]);
});

it("a process that was taken for gone and was not cannot settle what is another's now", async () => {
  const line = await aRun("late");
  const { sending, token } = await inHandOf("late");
  await killed(line);
  await look(later(1));
  await look(later(5));
  await look(later(7));
  await aRun("late");
  const settled = await sql`
    select applied from delivery.settle_deliveries(${workspace},
      ${sql.json([{ delivery_id: sending, token, kind: "sent", provider_message_id: "1" }])}, ${later(8)})`;
  expect([...settled]).toEqual([{ applied: false }]);
});

it("after the database was away everybody gets the time to come back", async () => {
  const line = await aRun("alive");
  await inHandOf("alive");
  await killed(line);
  await look(later(1));
  // No dispatcher looked for a minute, because there was nothing to do.
  expect(await look(later(61))).toEqual([]);
  expect(await look(later(65))).toEqual([]);
  expect(await look(later(67))).toHaveLength(2);
});

it("a sender that never joined, such as a workflow, is left to its leases", async () => {
  await inHandOf("n8n");
  await look(later(1));
  await look(later(5));
  expect(await look(later(10))).toEqual([]);
});

it("a dispatcher whose connection is ended by an administrator joins again by itself", async () => {
  const presence: Presence = createPresence({
    ...{ sql, clock: manualClock(start), log: silentLog, runId: "own", sendTimeoutSeconds: 30 },
    onJoined: () => undefined,
  });
  await presence.start();
  try {
    expect(presence.isKnown()).toBe(true);
    const holder = async () => {
      const [row] = await sql<{ pid: number }[]>`
        select l.pid from pg_locks l
        where l.locktype = 'advisory' and (l.classid::bigint << 32 | l.objid::bigint) = delivery.run_lock('own')`;
      return row?.pid;
    };
    const first = await holder();
    await sql`select pg_terminate_backend(${first ?? 0})`;
    await until("its lock is held again", async () => ![undefined, first].includes(await holder()));
  } finally {
    await presence.stop();
  }
});
