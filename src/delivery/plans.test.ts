import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aChannel, aWorkspace } from "./testing/builders.ts";
import { type PlanWatcher, watchPlans } from "./testing/plans.ts";

/**
 * No hot query may read history, whatever the planner knows: while the database grows without statistics under a connection
 * that made its plans when it was empty, and when it is large and analysed.
 */
let database: TestDatabase;
let workspace: string;
let plans: PlanWatcher;
const history = new Set([
  "deliveries",
  "messages",
  "events",
  "events_rest",
  "ingress_receipts",
  "ingest_runs",
  "corrections",
  "revisions",
  "webhook_messages",
]);
/** Far above what a call handles, far below what history holds. */
const fewRows = 3_000;
const finished = 60_000;
const channels = 40;

beforeAll(async () => {
  database = await testDatabase();
  await database.sql`select workspaces.ensure_event_partitions()`;
  // Autovacuum must not gather statistics during the test.
  await database.sql.unsafe(`
    alter table delivery.deliveries set (autovacuum_enabled = false);
    alter table delivery.messages set (autovacuum_enabled = false);
    alter table delivery.corrections set (autovacuum_enabled = false);
    alter table delivery.revisions set (autovacuum_enabled = false);
    alter table workspaces.events_rest set (autovacuum_enabled = false);`);
  workspace = await aWorkspace(database.sql);
  for (let channel = 0; channel < channels; channel++)
    await aChannel(database.sql, workspace, { max_parallel: 50 });
  // With a webhook, every event also looks up what it tells of.
  await database.sql`
    insert into delivery.webhooks (workspace_id, url, secret_ref)
    values (${workspace}, 'https://example.com/', 'vault:nobody sends')`;
});
afterAll(async () => {
  await plans.close();
  await database.drop();
});

/** Finished deliveries of many days, a quarter of them corrected, as a year of work leaves them. */
async function growHistory(): Promise<void> {
  await database.sql`
    with posts as (
      insert into delivery.messages (workspace_id, message_id, content_hash, payload, created_at)
      select ${workspace}, molva.uuidv7(now() - (n + 120) * interval '1 minute'), md5(n::text), '{"type": "text", "text": "старое"}', now() - (n + 120) * interval '1 minute'
      from generate_series(1, ${finished / channels}::int) n
      returning message_id, content_hash, created_at
    )
    insert into delivery.deliveries (
      workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash, status, not_before, created_at)
    select ${workspace}, molva.uuidv7(p.created_at), p.message_id, c.channel_id, 1, p.content_hash, 'deduped', p.created_at, p.created_at
    from posts p cross join delivery.channels c where c.workspace_id = ${workspace}`;
  // Statuses are set to their ends at once; the trigger checks single transitions, not the set-up of a test.
  await database.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`
      update delivery.deliveries set status = 'sent', sent_at = created_at, attempt = 1
      where workspace_id = ${workspace} and status = 'deduped'`;
    await sql`
      insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, result)
      select workspace_id, molva.uuidv7(created_at), delivery_id, message_id, channel_id, created_at, 'sent', 'ok'
      from delivery.deliveries where workspace_id = ${workspace} and status = 'sent'`;
    await sql`
      with corrected as (
        select d.*, molva.uuidv7(d.created_at) as revision_id from delivery.deliveries d
        where d.workspace_id = ${workspace} and d.status = 'sent' and d.channel_id in (
          select channel_id from delivery.channels where workspace_id = ${workspace} order by channel_id limit ${channels / 4})
          and not exists (select from delivery.corrections c where c.delivery_id = d.delivery_id)
      ), revised as (
        insert into delivery.revisions (workspace_id, revision_id, message_id, payload, operator, reason)
        select workspace_id, revision_id, message_id, '{"type": "text", "text": "новое"}', 'анна', 'ошибка' from corrected
      )
      insert into delivery.corrections (
        workspace_id, delivery_id, message_id, channel_id, number, kind, revision_id, status, attempt, due_at, ended_at, operator, reason)
      select workspace_id, delivery_id, message_id, channel_id, 1, 'edit', revision_id, 'done', 1, created_at, created_at, 'анна', 'ошибка'
      from corrected`;
  });
}

/** Settles all live deliveries as sent. */
async function endAll(): Promise<void> {
  await database.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`
      update delivery.deliveries set status = 'sent', sent_at = now(), claim_token = null
      where workspace_id = ${workspace} and status in ('queued', 'claimed', 'sending', 'retry')`;
  });
}

let nextPost = 0;

/** Every hot call once, from the post to the end of its delivery. */
const hotCalls: Record<string, (sql: postgres.Sql) => Promise<unknown>> = {
  "enqueue of a new post": (sql) => enqueue(sql, `новый ${nextPost++}`),
  "enqueue of a repeat": async (sql) => {
    await enqueue(sql, "повтор");
    return enqueue(sql, "повтор");
  },
  prepare_post: (sql) => sql`select * from delivery.prepare_post(${workspace}, '{"payload": {"text": "а"}}')`,
  claim_deliveries: (sql) => sql`select * from delivery.claim_deliveries(${workspace}, 'run', 20)`,
  start_sending: (sql) => sql`select * from delivery.start_sending(${workspace}, 'run', 20)`,
  settle_deliveries: (sql) => settleAll(sql, { kind: "sent", provider_message_id: "1" }),
  "settle_deliveries of failures": async (sql) => {
    await database.sql`select * from delivery.claim_deliveries(${workspace}, 'run', 20)`;
    await database.sql`select * from delivery.start_sending(${workspace}, 'run', 20)`;
    return settleAll(sql, {
      kind: "failed",
      error: { category: "TRANSIENT", scope: "delivery", code: "timeout", message: "too late" },
    });
  },
  next_claim_at: (sql) => sql`select delivery.next_claim_at(${workspace})`,
  next_start_at: (sql) => sql`select delivery.next_start_at(${workspace})`,
  next_workspaces: (sql) => sql`select delivery.next_workspaces()`,
  recover_leases: (sql) => sql`select * from delivery.recover_leases()`,
  "take_back from a process that is gone": (sql) =>
    sql`select * from delivery.take_back(null, null, array['nobody'], interval '30 seconds')`,
  missed_channels: (sql) => sql`
    select delivery.missed_channels(${workspace}, m.message_id)
    from (select message_id from delivery.messages where workspace_id = ${workspace} order by message_id desc limit 1) m`,
  recoverable: (sql) =>
    sql`select * from delivery.recoverable(${workspace}, now() - interval '1 hour', null, 100)`,
  waiting_like: (sql) =>
    sql`select * from delivery.waiting_like(${workspace}, null, array['а'], null, null, null, null, 100)`,
  follow_window: (sql) => sql`
    select delivery.follow_window(c, 'UTC') from (
      select * from delivery.channels where workspace_id = ${workspace} limit 1) as c`,
  channel_stop: (sql) => sql`
    select delivery.channel_stop(c) from (
      select * from delivery.channels where workspace_id = ${workspace} limit 1) as c`,
  taken_messages: (sql) => sql`
    select delivery.taken_messages(${workspace}, c.channel_id, molva.uuidv7(), array['mid.1', 'mid.2'], now() - interval '10 minutes')
    from (select channel_id from delivery.channels where workspace_id = ${workspace} limit 1) c`,
  claim_webhook_messages: (sql) => sql`
    select * from delivery.claim_webhook_messages(4, 4, interval '1 minute', gen_random_uuid())`,
  next_webhook_at: (sql) => sql`select delivery.next_webhook_at()`,
  overview: (sql) => sql`select delivery.overview(${workspace})`,
  "enqueue_corrections of an edit": (sql) => orderCorrections(sql, "edit"),
  next_correction_at: (sql) => sql`select delivery.next_correction_at(${workspace})`,
  start_corrections: (sql) => sql`select * from delivery.start_corrections(${workspace}, 'run', 20)`,
  settle_corrections: (sql) => settleCorrections(sql, { kind: "sent", message_ids: ["1"] }),
  "settle_corrections of failures": async (sql) => {
    await orderCorrections(database.sql, "edit");
    await database.sql`select * from delivery.start_corrections(${workspace}, 'run', 20)`;
    return settleCorrections(sql, {
      kind: "unknown",
      error: { category: "TRANSIENT", scope: "delivery", code: "timeout", message: "too late" },
    });
  },
  "take_back_corrections from a process that is gone": async (sql) => {
    await orderCorrections(database.sql, "edit");
    await database.sql`select * from delivery.start_corrections(${workspace}, 'lost', 20)`;
    return sql`select delivery.take_back_corrections(null, array['lost'], interval '30 seconds')`;
  },
  "enqueue_corrections of a removal": (sql) => orderCorrections(sql, "remove"),
};

/** The newest posts are corrected once more. */
async function orderCorrections(sql: postgres.Sql, kind: "edit" | "remove"): Promise<unknown> {
  const sent = await database.sql<{ delivery_id: string }[]>`
    select delivery_id from delivery.deliveries
    where workspace_id = ${workspace} and status = 'sent' and withdrawn_at is null order by delivery_id desc limit 5`;
  const text = `исправлено ${nextPost++}`;
  const items = sent.map((each) => ({ ...each, ...(kind === "edit" && { text, meta: {} }) }));
  return sql`
    select * from delivery.enqueue_corrections(
      ${workspace}, ${kind}, ${sql.json({ text })}, ${sql.json(items)}, 'анна', 'ошибка')`.execute();
}

/** The end of every correction that is under way; there has to be one. */
async function settleCorrections(sql: postgres.Sql, outcome: object): Promise<unknown> {
  const sending = await database.sql`
    select correction_id, claim_token as token from delivery.corrections where workspace_id = ${workspace} and status = 'sending'`;
  if (sending.length === 0) throw new Error("no correction is under way");
  const outcomes = sending.map((each) => ({ ...each, ...outcome }));
  return sql`select * from delivery.settle_corrections(${workspace}, ${sql.json(outcomes)})`;
}

function enqueue(sql: postgres.Sql, text: string): Promise<unknown> {
  const raw = { payload: { text } };
  return sql`select delivery.enqueue_messages_and_deliveries(${workspace}, null, 'webhook_push', ${sql.json(raw)})`.execute();
}

/** Settles everything that is being sent with this outcome. */
async function settleAll(sql: postgres.Sql, outcome: object): Promise<unknown> {
  const sending = await database.sql`
    select delivery_id, claim_token as token from delivery.deliveries where workspace_id = ${workspace} and status = 'sending'`;
  const outcomes = sending.map((each) => ({ ...each, ...outcome }));
  return sql`select * from delivery.settle_deliveries(${workspace}, ${sql.json(outcomes)})`;
}

async function expectNoHistoryRead(name: string): Promise<void> {
  const call = hotCalls[name];
  if (!call) throw new Error(`there is no call ${name}`);
  const nodes = await plans.watch(call);
  expect(nodes.length).toBeGreaterThan(0);
  const ofHistory = nodes.filter(
    ({ relation }) => relation && (history.has(relation) || relation.startsWith("events_")),
  );
  expect(ofHistory.filter(({ read }) => read > fewRows)).toEqual([]);
}

describe("on a database that grew without statistics since the connection made its plans", () => {
  beforeAll(async () => {
    plans = await watchPlans(database.url);
    // Often enough for PostgreSQL to switch to a generic plan.
    for (let round = 0; round < 6; round++) {
      for (const call of Object.values(hotCalls)) await plans.watch(call);
    }
    await growHistory();
    // The monitor rolls up events every minute.
    await database.sql`select delivery.health_roll_up(now())`;
  });

  // covers autoposting: Transactional SQL boundary
  it.each(Object.keys(hotCalls))("%s reads no history", expectNoHistoryRead);
});

describe("on a large database that was analysed", () => {
  beforeAll(async () => {
    await database.sql`analyze`;
    for (let post = 0; post < 5; post++) await enqueue(database.sql, `ждёт ${post}`);
  });

  it.each(Object.keys(hotCalls))("%s reads no history", expectNoHistoryRead);
});

describe("with a queue that came after statistics that know of none", () => {
  beforeAll(async () => {
    await endAll();
    await database.sql`analyze`;
    for (let post = 0; post < (2 * fewRows) / channels; post++)
      await enqueue(database.sql, `очередь ${post}`);
  });

  it.each(["claim_deliveries", "start_sending", "settle_deliveries", "settle_deliveries of failures"])(
    "%s does not read the queue",
    expectNoHistoryRead,
  );
});
