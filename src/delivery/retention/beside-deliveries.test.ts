import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";
import { runRetention } from "./run-retention.ts";
import { aPost, day, retentionDeps } from "./testing.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
});
afterAll(() => database?.drop());

/** Sends everything that waits, as a dispatcher does; returns how many were sent. */
async function dispatch(sql: Sql, workspace: string, runId: string, now: Date): Promise<number> {
  await sql`select from delivery.claim_deliveries(${workspace}, ${runId}, 50, ${now})`;
  const started =
    await sql`select delivery_id, claim_token from delivery.start_sending(${workspace}, ${runId}, 50, ${now})`;
  if (started.length === 0) return 0;
  const outcomes = started.map(({ delivery_id, claim_token }) => ({
    delivery_id,
    token: claim_token,
    kind: "sent",
    provider_message_id: "1",
  }));
  const settled =
    await sql`select applied from delivery.settle_deliveries(${workspace}, ${sql.json(outcomes)}, ${now})`;
  expect(settled.every(({ applied }) => applied)).toBe(true);
  return settled.length;
}

it("loses nothing that is on its way and never deadlocks while posts come, go and are purged at once", async () => {
  const { sql } = database;
  const deps = retentionDeps(sql, tempFolder("retention"));
  const workspace = await aWorkspace(sql);
  for (let channel = 0; channel < 4; channel++)
    await aChannel(sql, workspace, { dedup_ttl_hours: 0, max_parallel: 50 });

  // So long ago that a delivery may be purged as soon as it is sent, and its message with it.
  let past = deps.clock.now().getTime() - 100 * day;
  const nextPast = () => new Date(++past);
  let queued = 0;
  let sent = 0;
  let posting = true;

  const posters = [0, 1, 2].map(async () => {
    // Few different texts, so that posts often repeat a message that is being purged.
    for (let post = 0; post < 60; post++) {
      const counts = await enqueue(sql, workspace, `text ${post % 5}`, { now: nextPast() });
      queued += counts.queued;
    }
  });
  const dispatchers = ["one", "two"].map(async (name) => {
    while (posting || sent < queued) {
      const carried = await dispatch(sql, workspace, name, nextPast());
      sent += carried;
    }
  });
  const purged = { deliveries: 0, messages: 0 };
  const purgers = [0, 1].map(async () => {
    while (posting || sent < queued) {
      const report = await runRetention(deps);
      purged.deliveries += report.deliveries ?? 0;
      purged.messages += report.messages ?? 0;
    }
  });
  await Promise.all(posters).finally(() => {
    posting = false;
  });
  await Promise.all([...dispatchers, ...purgers]);
  const last = await runRetention(deps);

  expect(queued).toBeGreaterThan(60);
  expect(sent).toBe(queued);
  expect(purged.deliveries + (last.deliveries ?? 0)).toBe(queued);
  expect(await sql`select status from delivery.deliveries`).toEqual([]);
});

it("leaves a message to the delivery that somebody is just adding to it", async () => {
  const { sql } = database;
  const deps = retentionDeps(sql, tempFolder("retention"));
  const workspace = await aWorkspace(sql);
  const channel = await aChannel(sql, workspace);
  const message = await aPost(sql, workspace, {
    text: "kept",
    at: new Date(deps.clock.now().getTime() - 100 * day),
  });
  await sql`delete from delivery.deliveries where message_id = ${message}`;
  await sql.begin(async (tx) => {
    await tx`
      insert into delivery.deliveries (workspace_id, message_id, channel_id, hash_version, content_hash, status)
      select workspace_id, message_id, ${channel}, hash_version, content_hash, 'queued'
      from delivery.messages where message_id = ${message}`;
    expect(await runRetention(deps)).toMatchObject({ messages: 0 });
  });
  expect(await runRetention(deps)).toMatchObject({ messages: 0 });
  const [left] = await sql`select count(*) as rows from delivery.deliveries where message_id = ${message}`;
  expect(left?.rows).toBe(1);
});

it("does not take a delivery that an operator is just sending again", async () => {
  const { sql } = database;
  const deps = retentionDeps(sql, tempFolder("retention"));
  const workspace = await aWorkspace(sql);
  await aChannel(sql, workspace);
  const old = new Date(deps.clock.now().getTime() - 100 * day);
  const message = await aPost(sql, workspace, { text: "again", status: "dead", at: old });
  await sql.begin(async (tx) => {
    await tx`update delivery.deliveries set status = 'retry', next_retry_at = now() where message_id = ${message}`;
    expect(await runRetention(deps)).toMatchObject({ deliveries: 0, messages: 0 });
  });
  expect(await runRetention(deps)).toMatchObject({ deliveries: 0, messages: 0 });
});
