import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import type { ManualClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey } from "../../kernel/crypto/index.ts";
import { createPayloadStore } from "../payloads/payload-store.ts";
import { aChannel, anEndpoint, aWorkspace, enqueue } from "../testing/builders.ts";
import { type RetentionDeps, runRetention } from "./run-retention.ts";
import { aPost, day, retentionDeps, statuses } from "./testing.ts";

let database: TestDatabase;
let deps: RetentionDeps & { readonly clock: ManualClock };
let workspace: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await database.sql`delete from workspaces.workspaces`;
  await database.sql`truncate delivery.payloads, delivery.media_origin, workspaces.events cascade`;
  deps = retentionDeps(database.sql, tempFolder("retention"));
  workspace = await aWorkspace(database.sql);
  await aChannel(database.sql, workspace, { dedup_ttl_hours: 24 });
  await aChannel(database.sql, workspace, { dedup_ttl_hours: 24 });
});
afterAll(() => database?.drop());

const ago = (days: number, ms = 0) => new Date(deps.clock.now().getTime() - days * day - ms);
const texts = async () => {
  const rows = await database.sql`select payload ->> 'text' as text from delivery.messages order by 1`;
  return rows.map(({ text }) => text);
};
const countOf = async (table: string): Promise<number> => {
  const [row] = await database.sql`select count(*) as rows from ${database.sql(table)}`;
  return row?.rows;
};

describe("deliveries and messages", () => {
  // covers autoposting: Prod checklist; Point 35
  it("go 90 days after they finished, in every finished status", async () => {
    for (const status of ["sent", "failed_permanent", "dead"] as const) {
      await aPost(database.sql, workspace, { text: `${status} old`, status, at: ago(90, 1) });
      await aPost(database.sql, workspace, { text: `${status} young`, status, at: ago(90, -60_000) });
    }
    expect(await runRetention(deps)).toMatchObject({ deliveries: 6, messages: 3 });
    expect(await texts()).toEqual(["dead young", "failed_permanent young", "sent young"]);
    expect(await countOf("delivery.deliveries")).toBe(6);
  });

  // covers autoposting: Prod checklist; Point 35
  it("stay while a delivery is on its way, however old it is", async () => {
    for (const status of statuses)
      await aPost(database.sql, workspace, { text: status, status, at: ago(400) });
    await runRetention(deps);
    expect(await texts()).toEqual(["claimed", "queued", "retry", "sending"]);
  });

  it("count from the end: what was queued long ago and sent lately still stops repeats", async () => {
    const message = await aPost(database.sql, workspace, {
      text: "scheduled",
      status: "sending",
      at: ago(200),
    });
    await database.sql`
      update delivery.deliveries set status = 'sent', claim_token = null, sent_at = ${ago(0)}, updated_at = ${ago(0)}
      where message_id = ${message}`;
    expect(await runRetention(deps)).toMatchObject({ deliveries: 0, messages: 0 });
    expect(await enqueue(database.sql, workspace, "scheduled", { now: deps.clock.now() })).toMatchObject({
      queued: 0,
    });
  });

  it("keep a message for its last delivery, and one that was seen again lately", async () => {
    const shared = await aPost(database.sql, workspace, { text: "one of two", at: ago(100) });
    await database.sql`
      update delivery.deliveries set updated_at = ${ago(10)}
      where delivery_id = (select min(delivery_id::text)::uuid from delivery.deliveries where message_id = ${shared})`;
    const seen = await aPost(database.sql, workspace, { text: "seen again", at: ago(100) });
    await database.sql`update delivery.messages set last_seen_at = ${ago(1)} where message_id = ${seen}`;
    expect(await runRetention(deps)).toMatchObject({ deliveries: 3, messages: 0 });
    expect(await texts()).toEqual(["one of two", "seen again"]);
    expect(await countOf("delivery.deliveries")).toBe(1);
  });

  it("go also when somebody gave them ids that do not tell the time", async () => {
    await aPost(database.sql, workspace, { text: "foreign", at: ago(100) });
    await database.sql`
      update delivery.deliveries set delivery_id = overlay(gen_random_uuid()::text placing 'f' from 1 for 1)::uuid`;
    expect(await runRetention(deps)).toMatchObject({ deliveries: 2, messages: 1 });
  });

  it("follow each workspace's own settings", async () => {
    const brief = await aWorkspace(database.sql);
    await database.sql`
      update workspaces.workspaces set settings = '{"retention": {"deliveries_days": 10, "events_days": 5, "payloads_days": 5}}'
      where workspace_id = ${brief}`;
    await aChannel(database.sql, brief);
    await aPost(database.sql, brief, { text: "brief", at: ago(11) });
    await aPost(database.sql, workspace, { text: "usual", at: ago(11) });
    expect(await runRetention(deps)).toMatchObject({ deliveries: 1, messages: 1 });
    expect(await texts()).toEqual(["usual"]);
  });

  it("are found through their keys, not by reading the table", async () => {
    const [row] = await database.sql`select delivery.retention_first_id(${ago(90)}) as bound`;
    const plan = await database.sql`
      explain select delivery_id from delivery.deliveries
      where workspace_id = ${workspace} and delivery_id > '00000000-0000-0000-0000-000000000000' and delivery_id < ${row?.bound}
      order by delivery_id limit 1000`;
    expect(JSON.stringify(plan)).toContain("deliveries_pkey");
  });
});

describe("events", () => {
  const partitions = async () => {
    const rows = await database.sql`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'workspaces.events'::regclass and inhrelid <> 'workspaces.events_rest'::regclass order by 1`;
    return rows.map(({ name }) => name.replace("workspaces.events_", ""));
  };
  const note = (at: Date, to = workspace) => database.sql`
    insert into workspaces.events (workspace_id, ts, action, result) values (${to}, ${at}, 'enqueue', 'ok')`;

  beforeEach(async () => {
    for (const name of await partitions())
      await database.sql`drop table ${database.sql(`workspaces.events_${name}`)}`;
  });

  // covers autoposting: Prod checklist; Point 35
  it("go by whole days once 30 days have passed", async () => {
    deps.clock.set(new Date("2026-11-15T12:00:00Z"));
    await database.sql`select workspaces.ensure_event_partitions(3, '2026-10-15T12:00:00Z')`;
    expect(await partitions()).toEqual(["20261014", "20261015", "20261016", "20261017", "20261018"]);
    for (const at of [
      "2026-10-14T23:59:59Z",
      "2026-10-15T10:00:00Z",
      "2026-10-16T11:00:00Z",
      "2026-10-17T00:00:00Z",
    ])
      await note(new Date(at));
    expect(await runRetention(deps)).toMatchObject({ event_partitions: 2, events: 0 });
    expect(await partitions()).toEqual(["20261016", "20261017", "20261018"]);
    expect(await countOf("workspaces.events")).toBe(2);
  });

  it("outside the days go, too", async () => {
    for (const days of [29, 30.1, 31, 40, 50, 60]) await note(ago(days));
    expect(await runRetention(deps)).toMatchObject({ event_partitions: 0, events: 5 });
    expect(await countOf("workspaces.events_rest")).toBe(1);
  });

  it("stay as long as the workspace that keeps them longest, and go earlier for the others", async () => {
    const patient = await aWorkspace(database.sql);
    await database.sql`
      update workspaces.workspaces set settings = '{"retention": {"events_days": 60}}' where workspace_id = ${patient}`;
    await database.sql`select workspaces.ensure_event_partitions(0, ${ago(40)})`;
    for (let minute = 0; minute < 7; minute++) await note(ago(40, minute * 60_000));
    await note(ago(40), patient);
    expect(await runRetention(deps)).toMatchObject({ event_partitions: 0, events: 7 });
    const left = await database.sql`select workspace_id from workspaces.events`;
    expect(left).toEqual([{ workspace_id: patient }]);
  });

  it("of a day that is being read stay until the next run, and nobody waits long", async () => {
    await database.sql`select workspaces.ensure_event_partitions(0, ${ago(40)})`;
    const days = await partitions();
    await database.sql.begin(async (reader) => {
      await reader`select count(*) from workspaces.events`;
      expect(await runRetention(deps)).toMatchObject({ event_partitions: 0 });
      await note(ago(0));
    });
    expect(await partitions()).toEqual(days);
    expect(await runRetention(deps)).toMatchObject({ event_partitions: 2 });
    expect(await partitions()).toEqual([]);
  });
});

// covers autoposting: Table: ingress_receipts; Prod checklist; Point 35
it("receipts go when they expire, records of ingest with the deliveries", async () => {
  const { endpointId } = await anEndpoint(database.sql, workspace);
  for (const [index, days] of [0.1, 0.2, 1, 2, 3, -1].entries())
    await database.sql`
      insert into delivery.ingress_receipts (workspace_id, endpoint_id, endpoint_kind, payload_hash, expires_at)
      values (${workspace}, ${endpointId}, 'webhook_push', ${String(index)}, ${ago(days)})`;
  for (const days of [89, 91, 92, 93, 94])
    await database.sql`
      insert into delivery.ingest_runs (workspace_id, run_id, kind, started_at)
      values (${workspace}, ${`run ${days}`}, 'push', ${ago(days)})`;
  expect(await runRetention(deps)).toMatchObject({ receipts: 5, ingest_runs: 4 });
  expect([await countOf("delivery.ingress_receipts"), await countOf("delivery.ingest_runs")]).toEqual([1, 1]);
});

// covers autoposting: Data privacy / PII
it("raw payloads go with their objects when their own time is over, and at once with their workspace", async () => {
  const payloads = createPayloadStore({ ...deps, vault: createVault([generateKey()], deps.clock) });
  const leaving = await aWorkspace(database.sql);
  for (const owner of [workspace, workspace, workspace, leaving])
    await payloads.save(owner, "provider_answer", "raw");
  deps.clock.advance(14 * day - 1);
  await payloads.save(workspace, "provider_answer", "young");
  const objects = async () => {
    const keys = [];
    for await (const { key } of deps.storage.list("payloads/")) keys.push(key);
    return keys.length;
  };
  expect(await runRetention(deps)).toMatchObject({ payloads: 0 });

  await database.sql`delete from workspaces.workspaces where workspace_id = ${leaving}`;
  expect(await runRetention(deps)).toMatchObject({ payloads: 1 });
  expect(await objects()).toBe(4);
  deps.clock.advance(1);
  expect(await runRetention(deps)).toMatchObject({ payloads: 3 });
  expect([await objects(), await countOf("delivery.payloads")]).toEqual([1, 1]);
});

it("a storage that fails keeps its rows for the next run and does not stop the other steps", async () => {
  const payloads = createPayloadStore({ ...deps, vault: createVault([generateKey()], deps.clock) });
  await payloads.save(workspace, "provider_answer", "raw");
  await aPost(database.sql, workspace, { text: "old", at: ago(100) });
  deps.clock.advance(15 * day);
  const failing = { ...deps.storage, delete: () => Promise.reject(new Error("the disk is away")) };
  await expect(runRetention({ ...deps, storage: failing })).rejects.toThrow("steps of retention failed: 1");
  expect([await countOf("delivery.payloads"), await countOf("delivery.messages")]).toEqual([1, 0]);
  expect(await runRetention(deps)).toMatchObject({ payloads: 1 });
});
