import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { createHttpServer, type HttpServer } from "../../http/index.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey, sha256Hex } from "../../kernel/crypto/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createMetrics } from "../../kernel/metrics/index.ts";
import { createStorage } from "../../kernel/storage/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { listWorkspaces } from "../../workspaces/index.ts";
import { deliveryRoutes } from "../delivery-routes.ts";
import { createPayloadStore, type PayloadStore } from "../payloads/payload-store.ts";
import { aChannel, anEndpoint, aWorkspace, type TestEndpoint } from "../testing/builders.ts";

let database: TestDatabase;
let server: HttpServer;
let clock: ManualClock;
let endpoint: TestEndpoint;
let payloads: PayloadStore;
const folder = tempFolder("ingest-bodies");

beforeAll(async () => {
  database = await testDatabase();
  clock = manualClock();
  const { sql } = database;
  const metrics = createMetrics();
  const storage = createStorage({ folder, urlBase: "http://127.0.0.1", secret: "s", clock });
  payloads = createPayloadStore({ sql, storage, vault: createVault([generateKey()], clock), clock });
  const platforms = createPlatforms({
    TELEGRAM_API_ROOT: "http://127.0.0.1:9",
    MAX_API_ROOT: "http://127.0.0.1:9",
  });
  server = await createHttpServer({
    settings: {
      host: "127.0.0.1",
      port: 0,
      publicUrl: "http://127.0.0.1",
      trustProxy: 0,
      webFolder: "/nowhere",
      version: "0",
    },
    log: silentLog,
    sql,
    clock,
    metrics,
    vault: createVault([generateKey()], clock),
    ready: {},
    listWorkspaces: () => listWorkspaces(sql),
    modules: [
      deliveryRoutes({
        sql,
        platforms,
        clock,
        metrics,
        payloads,
        credentials: { token: async () => undefined },
      }),
    ],
  });
  await server.start();
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  const workspace = await aWorkspace(database.sql);
  endpoint = await anEndpoint(database.sql, workspace);
  await aChannel(database.sql, workspace);
});

interface Answer {
  status: number;
  retryAfter: string | null;
  body: Record<string, unknown> & { errors?: { pointer: string; detail: string }[] };
}

async function ingest(
  body: unknown,
  headers: Record<string, string> = { "x-molva-secret": endpoint.secret },
): Promise<Answer> {
  const response = await fetch(`${server.url()}/api/v1/ingest`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const answer = await response.json();
  if (typeof answer !== "object" || answer === null) throw new Error("not an object");
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body: { ...answer } };
}

const hello = (text = "Привет") => ({ payload: { text } });

async function stored(): Promise<{
  messages: number;
  deliveries: number;
  events: string[];
  runs: Record<string, number>[];
}> {
  const { sql } = database;
  const [counts] = await sql`
    select (select count(*)::int from delivery.messages where workspace_id = ${endpoint.workspaceId}) as messages,
           (select count(*)::int from delivery.deliveries where workspace_id = ${endpoint.workspaceId}) as deliveries`;
  const events =
    await sql`select action from workspaces.events where workspace_id = ${endpoint.workspaceId} order by ts, id`;
  const runs =
    await sql`select stats_json from delivery.ingest_runs where workspace_id = ${endpoint.workspaceId} and finished_at is not null`;
  return {
    messages: counts?.messages,
    deliveries: counts?.deliveries,
    events: events.map(({ action }) => action),
    runs: runs.map(({ stats_json }) => stats_json),
  };
}

it("is not opened by a secret that anybody can read in the documents, though the database knows it", async () => {
  await database.sql`
    update delivery.workspace_endpoints set secret_hash = ${sha256Hex("molva-demo-secret")}
    where endpoint_id = ${endpoint.endpointId}`;
  expect(await ingest(hello(), { "x-molva-secret": "molva-demo-secret" })).toMatchObject({
    status: 403,
    body: {
      code: "endpoint_auth_failed",
      detail: expect.stringContaining("Anybody can read this secret"),
    },
  });
  expect((await stored()).messages).toBe(0);
});

describe("a post that is accepted", () => {
  // covers autoposting: Table: ingest_runs; Ingest requirements; Push mode
  it("is stored once and queued for every matching channel", async () => {
    const { status, body } = await ingest(hello());
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, queued: 1, deduped: 0, failed_permanent: 0, skipped_inflight: 0 });
    expect(body.run_id).toBeTypeOf("string");
    expect(await stored()).toMatchObject({
      messages: 1,
      deliveries: 1,
      events: ["enqueue"],
      runs: [{ accepted: 1, queued: 1 }],
    });
  });

  it("may carry its secret as a bearer token", async () => {
    expect((await ingest(hello(), { authorization: `Bearer ${endpoint.secret}` })).status).toBe(200);
  });

  // covers autoposting: Push mode
  it("is stored compiled, so that retries send exactly the same", async () => {
    await ingest({ payload: { text: "<b>Жирно</b> и просто", parse_mode: "HTML" } });
    const [row] = await database.sql`
      select rendered_text, render_meta from delivery.deliveries where workspace_id = ${endpoint.workspaceId}`;
    expect(row?.rendered_text).toBe("Жирно и просто");
    expect(row?.render_meta.compiled.requests[0].body).toMatchObject({
      entities: [{ type: "bold", offset: 0, length: 5 }],
    });
  });

  // covers autoposting: Table: workspace_endpoints; Push mode; Point 2
  it("never changes the tenant by what it says", async () => {
    const other = await aWorkspace(database.sql);
    await ingest({ ...hello(), workspace_id: other });
    const [row] =
      await database.sql`select count(*)::int from delivery.messages where workspace_id = ${other}`;
    expect(row?.count).toBe(0);
  });

  // covers autoposting: Preflight validation; Point 16
  it("fails at once, with an event, in a channel that cannot take it", async () => {
    const { body } = await ingest(hello("я".repeat(5000)));
    expect(body).toMatchObject({ queued: 0, failed_permanent: 1 });
    expect((await stored()).events).toEqual(["validation_failed"]);
    const [delivery] = await database.sql`
      select d.attempt, d.last_error, c.error_streak, c.paused_until from delivery.deliveries d
      join delivery.channels c using (workspace_id, channel_id) where d.workspace_id = ${endpoint.workspaceId}`;
    expect(delivery).toMatchObject({
      ...{ attempt: 0, last_error: { code: "validation_failed" }, error_streak: 0, paused_until: null },
    });
  });
});

describe("a post that no channel takes", () => {
  it("is stored, and the answer says which filters let it pass by", async () => {
    await database.sql`
      update delivery.channels set route_filter = '{"include_any": ["спорт", "кино"]}'
      where workspace_id = ${endpoint.workspaceId}`;
    const { sql } = database;
    await aChannel(sql, endpoint.workspaceId, { route_filter: { include_all: ["новости", "срочно"] } });
    await aChannel(sql, endpoint.workspaceId, { route_filter: { exclude: ["новости"] } });
    await aChannel(sql, endpoint.workspaceId, { enabled: false });
    const { status, body } = await ingest({ ...hello("Привет"), tags: ["новости"] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      message_id: expect.any(String),
      queued: 0,
      unrouted: {
        tags: ["новости"],
        channels: 4,
        because: expect.arrayContaining([
          { filter: "include_any", channels: 1, tags: ["кино", "спорт"] },
          { filter: "include_all", channels: 1, tags: ["срочно"] },
          { filter: "exclude", channels: 1, tags: ["новости"] },
          { filter: "disabled", channels: 1, tags: [] },
        ]),
      },
    });
    expect((await ingest({ ...hello("Другой"), tags: ["кино"] })).body).not.toHaveProperty("unrouted");
  });

  it("because it is only for channels that ask for its tags says that too", async () => {
    const { body } = await ingest({ ...hello("Только по меткам"), tagged_only: true });
    expect(body.unrouted).toMatchObject({ because: [{ filter: "takes_everything", channels: 1 }] });
  });
});

describe("allowed networks", () => {
  const allow = (networks: string[]) => database.sql`
    update delivery.workspace_endpoints set networks = ${networks} where endpoint_id = ${endpoint.endpointId}`;

  it("let posts in from them, and refuse the right secret from elsewhere", async () => {
    await allow(["203.0.113.0/24", "2001:db8::/32"]);
    expect(await ingest(hello())).toMatchObject({ status: 403, body: { code: "ingress_network_refused" } });
    await allow(["203.0.113.0/24", "127.0.0.0/8"]);
    expect((await ingest(hello())).status).toBe(200);
  });

  it("do not take the word of a sender who is no trusted proxy", async () => {
    await allow(["203.0.113.0/24"]);
    const headers = { "x-molva-secret": endpoint.secret, "x-forwarded-for": "203.0.113.9" };
    expect((await ingest(hello(), headers)).status).toBe(403);
  });
});

describe("the sender's ingest_run_id", () => {
  it("is kept with the post and the run, which has the sum of its posts", async () => {
    const run = { ingest_run_id: "nightly-7" };
    const { body } = await ingest({ ...hello("раз"), ...run });
    expect(body.run_id).toBe("nightly-7");
    await ingest({ ...hello("два"), ...run });
    await ingest({ ...hello("два"), ...run });
    const messages = await database.sql`
      select first_ingest_run_id, last_ingest_run_id from delivery.messages
      where workspace_id = ${endpoint.workspaceId}`;
    expect(messages).toEqual([
      { first_ingest_run_id: "nightly-7", last_ingest_run_id: "nightly-7" },
      { first_ingest_run_id: "nightly-7", last_ingest_run_id: "nightly-7" },
    ]);
    expect((await stored()).runs).toEqual([
      expect.objectContaining({ processed: 3, accepted: 2, dropped: 1, dedup_dropped: 1, queued: 2 }),
    ]);
  });

  it("is kept through plain SQL too, and one that is a source's is not written over", async () => {
    const { sql } = database;
    await sql`
      insert into delivery.ingest_runs (workspace_id, run_id, kind, started_at)
      values (${endpoint.workspaceId}, 'ingest-pull-1', 'pull', now())`;
    const { body } = await ingest({ ...hello("раз"), ingest_run_id: "ingest-pull-1" });
    expect(body.run_id).not.toBe("ingest-pull-1");
    const raw = { payload: { text: "через SQL" }, ingest_run_id: "psql-1" };
    await sql`
      select delivery.enqueue_messages_and_deliveries(
        ${endpoint.workspaceId}, null, 'webhook_push', ${sql.json(raw)})`;
    expect(
      await sql`select from delivery.messages
        where workspace_id = ${endpoint.workspaceId} and first_ingest_run_id = 'psql-1'`,
    ).toHaveLength(1);
  });
});

describe("a repeat", () => {
  // covers autoposting: Point 6
  it("with the same source_ref or Idempotency-Key is dropped", async () => {
    await ingest({ ...hello("один"), source_ref: "cms-1" });
    const again = await ingest({ ...hello("другой"), source_ref: "cms-1" });
    expect(again).toMatchObject({
      status: 200,
      body: { ok: true, dropped: true, reason: "ingress_dedup_dropped" },
    });
    const byKey = await ingest(hello("третий"), {
      "x-molva-secret": endpoint.secret,
      "idempotency-key": "cms-1",
    });
    expect(byKey.body).toMatchObject({ dropped: true });
    expect(await stored()).toMatchObject({ messages: 1, deliveries: 1 });
  });

  // covers autoposting: Table: ingress_receipts; Ingress flood control; Point 6
  it("with the same source_ref leaves the one receipt there was, an event and a count", async () => {
    await ingest({ ...hello("один"), source_ref: "cms-2" });
    await ingest({ ...hello("другой"), source_ref: "cms-2" });
    const receipts = await database.sql`
      select from delivery.ingress_receipts where workspace_id = ${endpoint.workspaceId} and source_ref = 'cms-2'`;
    expect(receipts).toHaveLength(1);
    const { events, runs } = await stored();
    expect(events.filter((action) => action === "ingress_dedup_dropped")).toHaveLength(1);
    expect(runs).toContainEqual(expect.objectContaining({ dedup_dropped: 1 }));
  });

  it("is no error: nothing that counts errors counts it", async () => {
    await ingest({ ...hello("один"), source_ref: "cms-3" });
    await ingest({ ...hello("один"), source_ref: "cms-3" });
    const errors = await database.sql`
      select from workspaces.events where workspace_id = ${endpoint.workspaceId} and result = 'error'`;
    expect(errors).toEqual([]);
    const [health] = await database.sql<[{ snapshot: { top_errors: unknown[]; ingress_24h: object } }]>`
      select delivery.health_snapshot(${endpoint.workspaceId}, ${clock.now()}) as snapshot`;
    expect(health.snapshot).toMatchObject({ top_errors: [], ingress_24h: { dedup_dropped: 1 } });
  });

  // covers autoposting: Table: ingress_receipts; Ingress flood control; Point 7
  it("of the same content is dropped within the window and accepted after it", async () => {
    await ingest(hello());
    expect((await ingest(hello("Привет "))).body).toMatchObject({ dropped: true });
    clock.advance(10_001);
    const { body } = await ingest(hello());
    expect(body).toMatchObject({ queued: 0, skipped_inflight: 1 });
    const [message] = await database.sql`
      select first_ingest_run_id, last_ingest_run_id from delivery.messages where workspace_id = ${endpoint.workspaceId}`;
    expect(message?.last_ingest_run_id).toBe(body.run_id);
    expect(message?.first_ingest_run_id).not.toBe(body.run_id);
    expect((await stored()).events).toEqual(
      expect.arrayContaining(["enqueue", "ingress_dedup_dropped", "dedup_suppressed"]),
    );
  });
});

describe("a repeat of a post that a channel refused", () => {
  let refusing: string;
  beforeEach(async () => {
    refusing = await aChannel(database.sql, endpoint.workspaceId, {
      title: "Отказывает",
      dedup_ttl_hours: 1,
    });
  });

  const unauthorized = {
    category: "PERMANENT",
    scope: "channel",
    code: "unauthorized",
    message: "токен отозван",
  };

  /** Every waiting delivery is attempted: the refusing channel fails, the others succeed. */
  async function attempt(error = unauthorized): Promise<void> {
    const { sql } = database;
    await sql`select delivery.claim_deliveries(${endpoint.workspaceId}, 'run', 10, ${clock.now()})`;
    const started = await sql`
      select delivery_id, claim_token, channel_id from delivery.start_sending(${endpoint.workspaceId}, 'run', 10, ${clock.now()})`;
    const outcomes = started.map(({ delivery_id, claim_token: token, channel_id }) =>
      channel_id === refusing
        ? { delivery_id, token, kind: "failed", error }
        : { delivery_id, token, kind: "sent", provider_message_id: "1" },
    );
    await sql`
      select delivery.settle_deliveries(${endpoint.workspaceId}, ${sql.json(outcomes)}, ${clock.now()})`;
  }

  const repaired = () => database.sql`
    select delivery.enable_channel(${endpoint.workspaceId}, ${refusing}, 'anna', 'новый токен', ${clock.now()})`;

  const channelsOf = async (messageId: unknown) => {
    const rows = await database.sql`
      select channel_id, status from delivery.deliveries where message_id = ${String(messageId)} order by delivery_id`;
    return rows.map(
      ({ channel_id, status }) => `${channel_id === refusing ? "refusing" : "other"} ${status}`,
    );
  };

  it.each([
    ["the same source_ref", { source_ref: "cms-3" }],
    ["the same content", {}],
  ])("by %s goes to that channel and to no other", async (_by, ref) => {
    const first = await ingest({ ...hello("важное"), ...ref });
    expect(first.body).toMatchObject({ queued: 2 });
    await attempt();
    // The other channels' window for repeats is over, but they still have the post.
    await database.sql`
      update delivery.channels set dedup_ttl_hours = 0 where workspace_id = ${endpoint.workspaceId}`;
    await repaired();
    clock.advance(1);
    const again = await ingest({ ...hello("важное"), ...ref });
    expect(again.body).toMatchObject({ ok: true, message_id: first.body.message_id, queued: 1, deduped: 0 });
    expect(await channelsOf(first.body.message_id)).toEqual(
      expect.arrayContaining(["other sent", "refusing failed_permanent", "refusing queued"]),
    );
    // First it is on its way, then it has arrived.
    expect((await ingest({ ...hello("важное"), ...ref })).body).toMatchObject({ dropped: true });
    refusing = "";
    await attempt();
    expect((await ingest({ ...hello("важное"), ...ref })).body).toMatchObject({ dropped: true });
  });

  it("with a text put right under the same source_ref brings that text, once", async () => {
    await ingest({ ...hello("с ошибкой"), source_ref: "cms-4" });
    await attempt({ ...unauthorized, scope: "delivery", code: "telegram_bad_request" });
    const again = await ingest({ ...hello("без ошибки"), source_ref: "cms-4" });
    expect(again.body).toMatchObject({ queued: 1 });
    expect(await channelsOf(again.body.message_id)).toEqual(["refusing queued"]);
    expect((await ingest({ ...hello("без ошибки"), source_ref: "cms-4" })).body).toMatchObject({
      dropped: true,
    });
  });

  it.each(["cancelled", "stale_dropped", "outcome_unknown"])(
    "is dropped when what kept the post away was %s",
    async (code) => {
      await ingest({ ...hello("снято"), source_ref: "cms-5" });
      await attempt({ ...unauthorized, scope: "delivery", code });
      expect((await ingest({ ...hello("снято"), source_ref: "cms-5" })).body).toMatchObject({
        dropped: true,
      });
    },
  );

  it("is dropped while the channel is disabled", async () => {
    await ingest({ ...hello("рано"), source_ref: "cms-6" });
    await attempt();
    await database.sql`update delivery.channels set enabled = false where channel_id = ${refusing}`;
    expect((await ingest({ ...hello("рано"), source_ref: "cms-6" })).body).toMatchObject({ dropped: true });
  });

  it("many times at once queues it once", async () => {
    const { body } = await ingest({ ...hello("разом"), source_ref: "cms-7" });
    await attempt();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ingest({ ...hello("разом"), source_ref: "cms-7" })),
    );
    expect(answers.filter((answer) => answer.body.queued === 1)).toHaveLength(1);
    expect(await channelsOf(body.message_id)).toHaveLength(3);
  });
});

describe("a request that is refused", () => {
  // covers autoposting: Table: workspace_endpoints; Ingress flood control; Point 1
  it.each([
    ["without a secret", {}, 401, "missing_endpoint_secret"],
    ["with a blank secret", { "x-molva-secret": "  " }, 401, "missing_endpoint_secret"],
    ["with an unknown secret", { "x-molva-secret": "чужой-secret" }, 403, "endpoint_auth_failed"],
  ])("%s leaves no trace", async (_case, headers, status, code) => {
    const encoded = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, encodeURIComponent(value)]),
    );
    const answer = await ingest(hello(), code === "endpoint_auth_failed" ? encoded : headers);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(await stored()).toEqual({ messages: 0, deliveries: 0, events: [], runs: [] });
    const [kept] = await database.sql`
      select (select count(*)::int from delivery.ingress_receipts where workspace_id = ${endpoint.workspaceId}) as receipts,
        (select count(*)::int from delivery.ingress_buckets where workspace_id = ${endpoint.workspaceId}) as buckets`;
    expect(kept).toEqual({ receipts: 0, buckets: 0 });
  });

  // covers autoposting: Point 1
  it("with a disabled endpoint's secret is refused", async () => {
    const disabled = await anEndpoint(database.sql, endpoint.workspaceId, { enabled: false });
    expect((await ingest(hello(), { "x-molva-secret": disabled.secret })).status).toBe(403);
    expect(await stored()).toEqual({ messages: 0, deliveries: 0, events: [], runs: [] });
  });

  // covers autoposting: Table: workspace_endpoints; Ingress flood control; Point 4
  it("for its size is counted and named, with no message", async () => {
    endpoint = await anEndpoint(database.sql, endpoint.workspaceId, { max_payload_bytes: 100 });
    const answer = await ingest(hello("я".repeat(100)));
    expect(answer).toMatchObject({ status: 413, body: { code: "ingress_payload_rejected" } });
    expect(await stored()).toMatchObject({
      messages: 0,
      events: ["ingress_payload_rejected"],
      runs: [{ payload_rejected: 1 }],
    });
  });

  // covers autoposting: Table: workspace_endpoints; Ingress flood control; Point 5
  it("for its rate says when to come back, and another endpoint is not touched", async () => {
    const slow = await anEndpoint(database.sql, endpoint.workspaceId, { ingress_rps: 0.5 });
    const headers = { "x-molva-secret": slow.secret };
    expect((await ingest(hello("а"), headers)).status).toBe(200);
    expect(await ingest(hello("б"), headers)).toMatchObject({
      status: 429,
      retryAfter: "2",
      body: { code: "ingress_rate_limited" },
    });
    expect((await ingest(hello("в"))).status).toBe(200);
    clock.advance(2_000);
    expect((await ingest(hello("б"), headers)).status).toBe(200);
    expect((await stored()).runs).toContainEqual(expect.objectContaining({ rate_limited: 1 }));
  });

  it.each([
    ["that is not JSON", "{oops", "invalid_json", undefined],
    ["that is not UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), "invalid_json", undefined],
    ["without a payload", {}, "invalid_request", "/payload"],
    ["with neither text nor media", { payload: { text: " \n" } }, "invalid_request", "/payload"],
    ["with text of a wrong type", { payload: { text: 5 } }, "invalid_request", "/payload/text"],
    ["with tags of a wrong type", { payload: { text: "а" }, tags: "новости" }, "invalid_request", "/tags"],
    [
      "with more than 1000 different tags",
      {
        payload: { text: "#а #б", tags: ["в"] },
        tags: Array.from({ length: 998 }, (_, index) => `т${index}`),
      },
      "invalid_request",
      "/tags",
    ],
    [
      "with a number for an unknown mode",
      { payload: { text: "а", parse_mode: "BBCode" } },
      "invalid_request",
      "/payload/parse_mode",
    ],
    ["with half a surrogate pair", '{"payload":{"text":"\\ud83d"}}', "invalid_request", "/payload/text"],
    ["with NUL", '{"payload":{"text":"а\\u0000б"}}', "invalid_request", "/payload/text"],
    [
      "with media of an unknown type",
      { payload: { media: [{ type: "hologram" }] } },
      "invalid_request",
      "/payload/media/0/type",
    ],
    [
      "with a number for the address of a file, which only the database looks at",
      { payload: { media: [{ type: "photo", media_url: 5 }] } },
      "invalid_request",
      undefined,
    ],
  ])("for a body %s names the place and stores nothing but a counter", async (_case, body, code, pointer) => {
    const answer = await ingest(body);
    expect(answer).toMatchObject({ status: 400, body: { code } });
    if (pointer) expect(answer.body.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(await stored()).toMatchObject({
      messages: 0,
      deliveries: 0,
      events: [],
      runs: [{ malformed: 1 }],
    });
  });
});

describe("an endpoint that keeps bodies", () => {
  /** The bodies that events link to, by action. */
  async function kept(): Promise<[string, string | undefined][]> {
    const events = await database.sql`
      select action, payload_ref from workspaces.events where workspace_id = ${endpoint.workspaceId} order by ts, id`;
    const access = { caller: { kind: "token", id: "t", name: "on-call" }, reason: "what did they send" };
    return Promise.all(
      events.map(async ({ action, payload_ref }) => [
        action,
        payload_ref && String(await payloads.read(endpoint.workspaceId, payload_ref, access)),
      ]),
    );
  }

  beforeEach(async () => {
    await database.sql`
      update delivery.workspace_endpoints set meta = meta || '{"keep_bodies": true}'
      where endpoint_id = ${endpoint.endpointId}`;
  });

  it("keeps an accepted body as it came, and a repeat of it", async () => {
    const body = '{ "payload": {"text": "Как есть"}, "source_ref": "s-1" }';
    expect((await ingest(body)).status).toBe(200);
    clock.advance(1_000);
    expect((await ingest(body)).body).toMatchObject({ dropped: true });
    expect(await kept()).toEqual([
      ["enqueue", body],
      ["ingress_dedup_dropped", body],
    ]);
    expect((await stored()).runs).toEqual([
      expect.objectContaining({ payload_ref: expect.any(String) }),
      expect.objectContaining({ payload_ref: expect.any(String) }),
    ]);
  });

  // covers autoposting: Data privacy / PII
  it("keeps what it refuses: a malformed body and one that is too large", async () => {
    expect((await ingest("{oops")).status).toBe(400);
    clock.advance(1_000);
    await database.sql`
      update delivery.workspace_endpoints set max_payload_bytes = 30 where endpoint_id = ${endpoint.endpointId}`;
    const large = JSON.stringify(hello("я".repeat(50)));
    expect((await ingest(large)).status).toBe(413);
    expect(await kept()).toEqual([
      ["ingress_payload_rejected", "{oops"],
      ["ingress_payload_rejected", large],
    ]);
    expect((await stored()).messages).toBe(0);
  });

  it("keeps nothing of a flood, and nothing above a megabyte", async () => {
    await database.sql`
      update delivery.workspace_endpoints set ingress_rps = 1, max_payload_bytes = 100
      where endpoint_id = ${endpoint.endpointId}`;
    expect((await ingest(hello("а"))).status).toBe(200);
    expect((await ingest(hello("б"))).status).toBe(429);
    expect((await ingest(hello("в".repeat(600_000)))).status).toBe(413);
    const [count] = await database.sql`
      select count(*)::int from delivery.payloads where workspace_id = ${endpoint.workspaceId}`;
    expect(count).toEqual({ count: 1 });
  });

  it("takes a post also when the body cannot be kept", async () => {
    const save = payloads.save;
    payloads.save = () => Promise.reject(new Error("the storage is away"));
    try {
      expect(await ingest(hello())).toMatchObject({ status: 200, body: { queued: 1 } });
    } finally {
      payloads.save = save;
    }
  });

  it("lets go of bodies with the other raw payloads", async () => {
    await ingest(hello());
    const [row] = await database.sql`
      select kind, expires_at - created_at = interval '14 days' as as_others from delivery.payloads
      where workspace_id = ${endpoint.workspaceId}`;
    expect(row).toEqual({ kind: "ingress_body", as_others: true });
  });
});
