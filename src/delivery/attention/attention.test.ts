import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { aDelivery, allowAnyBirth, type DeliveryBuilder } from "../deliveries/testing/a-delivery.ts";
import { aChannel, aWorkspace, type ChannelBuilder } from "../testing/builders.ts";
import { watchPlans } from "../testing/plans.ts";
import { attentionRoutes } from "./attention-routes.ts";
import { failuresSince } from "./failures.ts";

const now = new Date("2026-11-15T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

let database: TestDatabase;
let server: TestHttpServer;
let workspace: string;
let headers: Record<string, string>;
const clock: ManualClock = manualClock(now);

beforeAll(async () => {
  database = await testDatabase();
  await allowAnyBirth(database.sql);
  const deps = { sql: database.sql, clock };
  server = await startTestHttpServer({
    ...deps,
    modules: [{ name: "attention", routes: (app) => attentionRoutes(app, deps) }],
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
  headers = await server.bearer(["read"], workspace);
});

const channel = (given: ChannelBuilder = {}) => aChannel(database.sql, workspace, given);

/** A delivery that failed then, with the event that tells it. */
async function failed(
  channelId: string,
  { code, scope, at = ago(1), ...given }: { code: string; scope: string; at?: Date } & DeliveryBuilder,
): Promise<string> {
  const status = given.status ?? "failed_permanent";
  const message = `${code} at ${at.toISOString()}`;
  const last_error = { category: "PERMANENT", scope, code, message };
  const id = await aDelivery(database.sql, workspace, channelId, { now: at, status, last_error, ...given });
  await database.sql`
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error)
    select workspace_id, molva.uuidv7(${at}), delivery_id, message_id, channel_id, ${at},
      ${status === "dead" ? "dead_letter" : code === "cancelled" ? "cancelled" : "failed_permanent"}, 1, 'error', last_error
    from delivery.deliveries where delivery_id = ${id}`;
  return id;
}

async function ask(path: string) {
  const answer = await server.call(`/api/v1${path}`, { headers });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

describe("GET /failures", () => {
  it("puts refusals of one channel under it, with samples, its last words and what helps", async () => {
    const id = await channel({ title: "Новости" });
    const first = await failed(id, { code: "channel_unavailable", scope: "channel", at: ago(30) });
    const last = await failed(id, { code: "channel_unavailable", scope: "channel", at: ago(5) });
    const { status, body } = await ask("/failures");
    expect(status).toBe(200);
    expect(body).toMatchObject({ next: null, truncated: false, since: ago(24 * 60).toISOString() });
    expect(body.items).toEqual([
      {
        code: "channel_unavailable",
        scope: "channel",
        cause: { kind: "channel", channel_id: id, platform: "telegram" },
        deliveries: 2,
        posts: 2,
        channels: 1,
        first_at: expect.stringContaining("11:30:00"),
        last_at: expect.stringContaining("11:55:00"),
        message: `channel_unavailable at ${ago(5).toISOString()}`,
        recoverable: 2,
        requeueable: 0,
        sample_channels: [
          { id, title: "Новости", platform: "telegram", target: expect.stringMatching(/^-100/) },
        ],
        sample_deliveries: [last, first],
        remedy: "test_channel",
        again: "recover",
      },
    ]);
  });

  it("puts a refused token under its credential, whatever channels send with it", async () => {
    for (const code of ["unauthorized", "unauthorized"])
      await failed(await channel({ auth_ref: "news-bot" }), { code, scope: "channel" });
    await failed(await channel({ auth_ref: "other-bot" }), { code: "unauthorized", scope: "channel" });
    const { body } = await ask("/failures");
    const causes = body.items.map((item: { cause: unknown; channels: number; remedy: string }) => [
      item.cause,
      item.channels,
      item.remedy,
    ]);
    expect(causes).toHaveLength(2);
    expect(causes).toEqual(
      expect.arrayContaining([
        [{ kind: "credential", platform: "telegram", auth_ref: "news-bot" }, 2, "new_token"],
        [{ kind: "credential", platform: "telegram", auth_ref: "other-bot" }, 1, "new_token"],
      ]),
    );
  });

  it("puts what died of a platform under its rate group, and a post's own faults under the post", async () => {
    await failed(await channel(), { code: "rate_limited", scope: "platform", status: "dead", at: ago(2) });
    await failed(await channel(), { code: "message_too_long", scope: "delivery", at: ago(1) });
    const { body } = await ask("/failures");
    expect(body.items).toMatchObject([
      { cause: { kind: "post" }, remedy: "shorten", again: "requeue", recoverable: 0 },
      {
        cause: { kind: "rate_group", platform: "telegram", rate_group: "bot" },
        remedy: "wait",
        again: "recover",
      },
    ]);
  });

  it("shows at most five channels and three deliveries of a cause, the channels with the most failures first", async () => {
    const worst = await channel({ title: "Худший" });
    for (let n = 0; n < 6; n++)
      await failed(await channel(), { code: "upstream_unavailable", scope: "platform", status: "dead" });
    for (let n = 0; n < 2; n++)
      await failed(worst, { code: "upstream_unavailable", scope: "platform", status: "dead" });
    const { body } = await ask("/failures");
    expect(body.items).toHaveLength(1);
    expect(body.items[0]).toMatchObject({ deliveries: 8, channels: 7, remedy: "retry" });
    expect(body.items[0].sample_channels).toHaveLength(5);
    expect(body.items[0].sample_channels[0].id).toBe(worst);
    expect(body.items[0].sample_deliveries).toHaveLength(3);
  });

  it("leaves out what an operator called off, what goes out again, what is older and what others own", async () => {
    const id = await channel();
    await failed(id, { code: "cancelled", scope: "delivery" });
    await failed(id, { code: "unauthorized", scope: "channel", at: ago(25 * 60) });
    const again = await failed(id, { code: "rate_limited", scope: "platform", status: "dead" });
    await database.sql`
      update delivery.deliveries set status = 'retry', requeues = 1, next_retry_at = ${now} where delivery_id = ${again}`;
    const foreign = await aWorkspace(database.sql);
    const elsewhere = { workspace, headers };
    workspace = foreign;
    await failed(await channel(), { code: "unauthorized", scope: "channel" });
    ({ workspace, headers } = elsewhere);
    expect((await ask("/failures")).body.items).toEqual([]);
    expect((await ask(`/failures?since=${ago(26 * 60).toISOString()}`)).body.items).toHaveLength(1);
    expect((await ask(`/failures?workspace_id=${foreign}`)).status).toBe(403);
  });

  it("filters by code and scope, and pages", async () => {
    const id = await channel();
    await failed(id, { code: "media_rejected", scope: "delivery", at: ago(1) });
    await failed(id, { code: "channel_unavailable", scope: "channel", at: ago(2) });
    expect((await ask("/failures?code=media_rejected")).body.items).toMatchObject([
      { code: "media_rejected" },
    ]);
    expect((await ask("/failures?scope=channel")).body.items).toMatchObject([
      { code: "channel_unavailable" },
    ]);
    const page = (await ask("/failures?limit=1")).body;
    expect(page.items).toMatchObject([{ code: "media_rejected" }]);
    expect((await ask(`/failures?limit=1&after=${page.next}`)).body).toMatchObject({
      items: [{ code: "channel_unavailable" }],
      next: null,
    });
  });

  it("says that there is more when it looked at only the newest", async () => {
    const id = await channel();
    for (let n = 1; n <= 3; n++) await failed(id, { code: "media_rejected", scope: "delivery", at: ago(n) });
    expect(await failuresSince(database.sql, workspace, { since: ago(60) }, 2)).toMatchObject({
      truncated: true,
      groups: [{ deliveries: 2 }],
    });
    expect(await failuresSince(database.sql, workspace, { since: ago(60) }, 3)).toMatchObject({
      truncated: false,
      groups: [{ deliveries: 3 }],
    });
  });
});

describe("GET /attention", () => {
  it("has nothing to tell of a workspace in order", async () => {
    await channel();
    expect((await ask("/attention")).body).toEqual({
      at: now.toISOString(),
      since: ago(24 * 60).toISOString(),
      failures: [],
      channels: [],
      sources: [],
      stuck: { count: 0, since: null, sample: [] },
      held: { count: 0, since: null },
      truncated: [],
    });
  });

  it("tells of stopped and silent channels: since when, why, and what helps", async () => {
    const { sql } = database;
    const refused = await channel({ title: "Отказал" });
    const stopped = await channel({ title: "Остановлен" });
    const silent = await channel({ title: "Молчит" });
    await sql`update delivery.channels set enabled = false where channel_id = ${refused}`;
    await sql`
      insert into workspaces.events (workspace_id, channel_id, ts, action, result, error)
      values (${workspace}, ${refused}, ${ago(10)}, 'channel_disabled', 'error',
        ${sql.json({ code: "unauthorized", message: "токен отозван", scope: "channel", category: "PERMANENT" })})`;
    const until = new Date(now.getTime() + 60_000);
    await sql`update delivery.channels set paused_until = ${until} where channel_id = ${stopped}`;
    await sql`
      insert into delivery.channel_silences (workspace_id, channel_id, alive_at, quiet_since)
      values (${workspace}, ${silent}, ${ago(200)}, ${ago(200)})`;
    const { body } = await ask("/attention");
    expect(body.channels).toMatchObject([
      {
        channel: { id: refused, title: "Отказал" },
        state: "disabled",
        since: ago(10).toISOString(),
        until: null,
        stopped_by: "refusals",
        reason: "токен отозван",
        error_code: "unauthorized",
        remedy: "new_token",
      },
      { channel: { id: stopped }, state: "paused", until: until.toISOString(), remedy: "resume_channel" },
      {
        channel: { id: silent },
        state: "silent",
        since: ago(200).toISOString(),
        stopped_by: null,
        remedy: "look",
      },
    ]);
  });

  it("tells of sources that fail or are not asked, not of those that are in order or switched off", async () => {
    const { sql } = database;
    for (const name of ["good", "bad", "late", "off"])
      await sql`
        select delivery.add_pull_source(${workspace}, ${name}, 'rss', ${sql.json({ url: "https://example.com/" })}, 1800, null, ${now})`;
    await sql`
      update delivery.pull_sources
      set failures = 3, last_success_at = ${ago(90)}, last_error = ${sql.json({ code: "source_unavailable", message: "нет ответа" })}
      where workspace_id = ${workspace} and source_id = 'bad'`;
    await sql`
      update delivery.pull_sources set next_run_at = ${ago(6)}, enabled = source_id = 'late'
      where workspace_id = ${workspace} and source_id in ('late', 'off')`;
    expect((await ask("/attention")).body.sources).toMatchObject([
      {
        source_id: "bad",
        state: "failing",
        since: ago(90).toISOString(),
        failures: 3,
        error: { code: "source_unavailable", message: "нет ответа" },
      },
      { source_id: "late", state: "late", since: ago(6).toISOString(), failures: 0, error: null },
    ]);
  });

  it("counts what is stuck and what is held", async () => {
    const id = await channel();
    const stuck = await aDelivery(database.sql, workspace, id, { status: "sending", now: ago(10) });
    await aDelivery(database.sql, workspace, id, { status: "sending", now: ago(1) });
    await aDelivery(database.sql, workspace, id, { held_at: ago(40), hold_reason: "stale", now: ago(50) });
    expect((await ask("/attention")).body).toMatchObject({
      stuck: { count: 1, since: ago(10).toISOString(), sample: [stuck] },
      held: { count: 1, since: ago(40).toISOString() },
    });
  });

  it("needs the scope read", async () => {
    headers = await server.bearer(["write"], workspace);
    expect((await ask("/attention")).status).toBe(403);
  });
});

it("reads only what failed, however long the history is", async () => {
  const { sql } = database;
  const id = await channel();
  await sql`
    with posts as (
      insert into delivery.messages (workspace_id, content_hash, payload)
      select ${workspace}, n::text, '{"text": "Пост"}' from generate_series(1, 20000) as n
      returning message_id
    )
    insert into delivery.deliveries (workspace_id, message_id, channel_id, hash_version, content_hash, status, attempt, sent_at)
    select ${workspace}, message_id, ${id}, 1, message_id::text, 'sent', 1, ${ago(30)} from posts`;
  await sql`
    insert into workspaces.events (workspace_id, delivery_id, message_id, channel_id, ts, action, attempt, result)
    select workspace_id, delivery_id, message_id, channel_id, ${ago(30)}, 'sent', 1, 'ok' from delivery.deliveries
    where workspace_id = ${workspace}`;
  for (let n = 1; n <= 3; n++) await failed(id, { code: "media_rejected", scope: "delivery", at: ago(n) });
  const plans = await watchPlans(database.url);
  try {
    for (const analysed of [false, true]) {
      if (analysed) await sql`analyze delivery.deliveries, workspaces.events`;
      const nodes = await plans.watch(async (watched) => {
        await watched`select delivery.failures(${workspace}, ${ago(60)}, ${["unauthorized"]})`;
        await watched`
          select count(*) from delivery.deliveries d where d.workspace_id = ${workspace} and d.held_at is not null`;
        await watched`
          select count(*) from delivery.deliveries d
          where d.workspace_id = ${workspace} and d.status in ('claimed', 'sending') and d.claimed_at < ${now}`;
      });
      const ofHistory = nodes.filter(
        ({ relation }) => relation === "deliveries" || relation?.startsWith("events"),
      );
      expect(ofHistory.length).toBeGreaterThan(0);
      for (const node of ofHistory) expect(node.read, `${node.type} of ${node.relation}`).toBeLessThan(100);
    }
  } finally {
    await plans.close();
  }
});
