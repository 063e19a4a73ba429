import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { eventsRoute } from "../read/events-route.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { deliveriesRoutes } from "./routes.ts";
import { aDelivery, allowAnyBirth, aMessage, type DeliveryBuilder } from "./testing/a-delivery.ts";

const now = new Date("2026-11-15T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

let database: TestDatabase;
let server: TestHttpServer;
let workspace: string;
let channel: string;
let headers: Record<string, string>;

beforeAll(async () => {
  database = await testDatabase();
  await allowAnyBirth(database.sql);
  const deps = { sql: database.sql, clock: manualClock(now) };
  server = await startTestHttpServer({
    ...deps,
    modules: [
      {
        name: "deliveries",
        routes(app) {
          deliveriesRoutes(app, deps);
          eventsRoute(app, deps);
        },
      },
    ],
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
  channel = await aChannel(database.sql, workspace);
  headers = await server.bearer(["read", "operate"], workspace);
});

const deliver = (given: DeliveryBuilder = {}) =>
  aDelivery(database.sql, workspace, channel, { now, ...given });

async function ask(path: string, body?: unknown): Promise<{ status: number; body: Record<string, never> }> {
  const answer = await server.call(`/api/v1${path}`, { headers, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

describe("GET /deliveries", () => {
  async function allPages(query: string): Promise<string[]> {
    const seen: string[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const { body }: { body: { items?: { id: string }[]; next?: string | null } } = await ask(
        `/deliveries?${query}${next && `&after=${next}`}`,
      );
      seen.push(...idsOf(body.items ?? []));
      next = body.next ?? null;
    }
    return seen;
  }

  it("pages from the newest to the oldest without losing or repeating one", async () => {
    const made: string[] = [];
    for (let index = 0; index < 7; index++) made.unshift(await deliver({ now: at(index) }));
    expect(await allPages("limit=3")).toEqual(made);
  });

  it("pages through a channel's deliveries in their order, on their way or ended", async () => {
    const made: string[] = [];
    const statuses = ["queued", "sent", "retry", "dead", "failed_permanent", "queued", "deduped"] as const;
    for (const [index, status] of statuses.entries()) made.unshift(await deliver({ now: at(index), status }));
    await aDelivery(database.sql, workspace, await aChannel(database.sql, workspace), { now: at(2) });
    expect(await allPages(`channel_id=${channel}&limit=2`)).toEqual(made);
    expect(await allPages(`channel_id=${channel}&limit=2&status=queued,sent`)).toEqual([
      made[1],
      made[5],
      made[6],
    ]);
  });

  it("filters by status, channel, message and time, alone and together", async () => {
    const messageId = await aMessage(database.sql, workspace, now);
    const elsewhere = await aChannel(database.sql, workspace);
    const queued = await deliver({ message_id: messageId });
    const retry = await deliver({ now: at(1), status: "retry" });
    const dead = await deliver({ now: at(2), status: "dead" });
    const sent = await aDelivery(database.sql, workspace, elsewhere, {
      now: at(3),
      status: "sent",
      message_id: messageId,
    });
    const failed = await aDelivery(database.sql, workspace, elsewhere, {
      now: at(4),
      status: "failed_permanent",
    });
    const found = async (query: string) => {
      const { body }: { body: { items?: { id: string }[] } } = await ask(`/deliveries?${query}`);
      return idsOf(body.items ?? []);
    };
    expect(await found("status=queued,retry")).toEqual([retry, queued]);
    expect(await found("status=dead")).toEqual([dead]);
    expect(await found("status=dead,failed_permanent")).toEqual([failed, dead]);
    expect(await found(`channel_id=${elsewhere}`)).toEqual([failed, sent]);
    expect(await found(`channel_id=${elsewhere}&status=failed_permanent`)).toEqual([failed]);
    expect(await found(`channel_id=${channel}&status=retry`)).toEqual([retry]);
    expect(await found(`message_id=${messageId}`)).toEqual([sent, queued]);
    expect(await found(`message_id=${messageId}&status=sent`)).toEqual([sent]);
    expect(await found(`since=${at(3).toISOString()}`)).toEqual([failed, sent]);
    expect(await found(`status=queued&since=${at(1).toISOString()}`)).toEqual([]);
  });

  it.each(["status=lost", "limit=0", "limit=many", "since=yesterday", "after=me", "channel_id=1"])(
    "refuses %s with a pointer",
    async (query) => {
      const { status, body } = await ask(`/deliveries?${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: [{ pointer: `/${query.split("=")[0]}` }] });
    },
  );
});

describe("an id by its beginning", () => {
  const first = "aaaaaaaa-1111-7000-8000-000000000001";
  const second = "aaaaaaaa-2222-7000-8000-000000000001";
  const renamed = async (id: string, given: Partial<DeliveryBuilder> = {}) => {
    const made = await deliver(given);
    await database.sql`update delivery.deliveries set delivery_id = ${id}
      where workspace_id = ${workspace} and delivery_id = ${made}`;
  };

  it("is accepted instead of the whole id if only one id begins with it, in paths, bodies and filters", async () => {
    await renamed(first, { status: "dead" });
    await renamed(second);
    expect(await ask("/deliveries/aaaaaaaa-2222")).toMatchObject({ status: 200, body: { id: second } });
    expect(await ask("/deliveries/AAAAAAAA2/hold", { reason: "проверка" })).toMatchObject({
      body: { delivery_id: second },
    });
    expect(await ask("/deliveries/requeue", { ids: ["aaaaaaaa-1"], reason: "починили" })).toMatchObject({
      body: { changed: 1, items: [{ delivery_id: first }] },
    });
    const short = channel.slice(0, 30);
    expect(await ask(`/deliveries?channel_id=${short}`)).toMatchObject({
      body: { items: [{ id: second }, { id: first }] },
    });
    expect(await ask(`/events?channel_id=${short}&delivery_id=aaaaaaaa-1`)).toMatchObject({
      body: { items: [{ delivery_id: first, action: "manual_requeue" }] },
    });
  });

  it("lists the candidates where several begin so, and finds none of another workspace", async () => {
    await renamed(first);
    await renamed(second);
    const candidates = (pointer: string) => ({
      status: 400,
      body: { code: "ambiguous_id", errors: [second, first].map((detail) => ({ pointer, detail })) },
    });
    expect(await ask("/deliveries/aaaaaaaa")).toMatchObject(candidates("/id"));
    expect(await ask("/events?delivery_id=aaaaaaaa")).toMatchObject(candidates("/delivery_id"));
    expect(await ask("/deliveries/requeue", { ids: [first, "aaaaaaaa"], reason: "починили" })).toMatchObject(
      candidates("/ids/1"),
    );
    workspace = await aWorkspace(database.sql);
    headers = await server.bearer(["read", "operate"], workspace);
    expect(await ask("/deliveries/aaaaaaaa")).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it.each(["me", "aaa", "aaaa'--", "0".repeat(33)])("is refused with a pointer when it is %s", async (id) => {
    expect(await ask(`/deliveries/${id}`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/id" }] },
    });
  });
});

describe("GET /deliveries/{id}", () => {
  it("shows why it waits, its events, its channel and what the post says, and no raw content", async () => {
    const id = await deliver({
      status: "retry",
      attempt: 1,
      next_retry_at: at(4),
      last_error: { code: "rate_limited", message: "слишком часто", raw: "секрет" },
    });
    await database.sql`
      insert into workspaces.events (workspace_id, delivery_id, channel_id, ts, action, attempt, result)
      values (${workspace}, ${id}, ${channel}, ${at(-1)}, 'send_attempt', 1, 'ok'),
             (${workspace}, ${id}, ${channel}, ${now}, 'retry_scheduled', 1, 'error')`;
    const { status, body } = await ask(`/deliveries/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      status: "retry",
      channel: { id: channel, platform: "telegram" },
      message: { snippet: "Пост" },
      why: { reason: "retry_wait", expected_at: at(4).toISOString(), details: { attempt: 1 } },
      events: [{ action: "retry_scheduled" }, { action: "send_attempt" }],
    });
    expect(JSON.stringify(body)).not.toContain("секрет");
  });
});

describe("GET /messages", () => {
  it("counts a post's deliveries by status, in the list and alone", async () => {
    const messageId = await aMessage(database.sql, workspace, now);
    const ids = [
      await deliver({ message_id: messageId, status: "sent" }),
      await deliver({ message_id: messageId, now: at(1) }),
      await deliver({ message_id: messageId, now: at(2) }),
    ];
    expect((await ask("/messages")).body).toMatchObject({
      items: [{ id: messageId, snippet: "Пост", deliveries: { sent: 1, queued: 2 } }],
      next: null,
    });
    const { body } = await ask(`/messages/${messageId}`);
    expect(body).toMatchObject({ deliveries: { sent: 1, queued: 2 } });
    expect(idsOf(body.items ?? [])).toEqual(ids.reverse());
  });
});

describe("what operators read of a post", () => {
  it("is what is for its readers, not what senders add for templates, with who brought it and what failed", async () => {
    const messageId = await aMessage(database.sql, workspace, now);
    const [endpoint] = await database.sql<[{ endpoint_id: string }]>`
      insert into delivery.workspace_endpoints (workspace_id, kind, secret_hash, meta)
      values (${workspace}, 'webhook_push', repeat('5', 64), '{"name": "Сайт"}')
      returning endpoint_id`;
    const post = {
      ...{ text: "<b>Привет</b>", parse_mode: "HTML", phone: "+7 999", article: { title: "Заголовок" } },
      media: [{ type: "photo", url: "https://example.com/a.jpg", alt: "Кот", token: "секрет" }],
    };
    await database.sql`
      update delivery.messages set payload = ${database.sql.json(post)},
        source = ${database.sql.json({ kind: "push", endpoint_id: endpoint.endpoint_id })}
      where message_id = ${messageId}`;
    await deliver({
      ...{ message_id: messageId, status: "failed_permanent" },
      last_error: { code: "chat_unknown", message: "нет чата", scope: "channel" },
    });
    expect((await ask("/messages")).body).toMatchObject({
      items: [{ came_by: { kind: "push", endpoint: "Сайт" }, error: { code: "chat_unknown" } }],
    });
    const { body } = await ask(`/messages/${messageId}`);
    expect(body).toMatchObject({
      post: {
        ...{ title: "Заголовок", text: "<b>Привет</b>", parse_mode: "HTML", buttons: [] },
        media: [{ type: "photo", url: "https://example.com/a.jpg", alt: "Кот", caption: null }],
      },
      corrected: null,
    });
    expect(JSON.stringify(body)).not.toMatch(/999|секрет/);
  });

  it("opens although plain SQL stored a post of another shape", async () => {
    const messageId = await aMessage(database.sql, workspace, now);
    await database.sql`
      update delivery.messages set payload = '{"text": 5, "media": "x"}' where message_id = ${messageId}`;
    expect(await ask(`/messages/${messageId}`)).toMatchObject({
      status: 200,
      body: { post: { text: "", media: [] } },
    });
  });

  it("says of each place where the post is to be seen and what is missing there", async () => {
    const messageId = await aMessage(database.sql, workspace, now);
    const id = await deliver({ message_id: messageId, status: "sent" });
    await database.sql`
      update delivery.deliveries set provider_meta = '{"url": "https://t.me/a/1"}',
        render_meta = '{"compiled": {"losses": [{"code": "no_table", "message": "таблица стала текстом"}]}}'
      where delivery_id = ${id}`;
    const placement = { url: "https://t.me/a/1", losses: [], simplified: [{ code: "no_table" }] };
    expect((await ask(`/messages/${messageId}/why`)).body).toMatchObject({ items: [placement] });
    expect((await ask(`/deliveries/${id}`)).body).toMatchObject(placement);
  });
});

describe("POST /deliveries/cancel of chosen deliveries", () => {
  it("calls off those that wait, leaves the others, and says how many beforehand", async () => {
    const [waiting, sent] = [await deliver(), await deliver({ status: "sent" })];
    const body = { ids: [waiting, sent], reason: "передумали" };
    const statuses = async () =>
      (
        await database.sql<{ status: string }[]>`
          select status from delivery.deliveries where workspace_id = ${workspace} order by delivery_id = ${sent}`
      ).map(({ status }) => status);
    expect(await ask("/deliveries/cancel", { ...body, dry_run: true })).toMatchObject({
      status: 200,
      body: { dry_run: true, changed: 1, channels: [{ channel_id: channel, deliveries: 1 }] },
    });
    expect(await statuses()).toEqual(["queued", "sent"]);
    expect(await ask("/deliveries/cancel", body)).toMatchObject({ body: { dry_run: false, changed: 1 } });
    expect(await statuses()).toEqual(["failed_permanent", "sent"]);
  });

  it.each([
    ["neither ids nor a filter", {}],
    ["both", { ids: ["aaaaaaaa"], filter: { states: ["queued"] } }],
  ])("refuses %s", async (_name, given) => {
    const { status, body } = await ask("/deliveries/cancel", { ...given, reason: "передумали" });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(/`ids` or `filter`|no delivery|There is no/);
  });
});

describe("GET /events", () => {
  // covers autoposting: Table: events; 2) Recent error stream
  it("filters by what happened, to what, and when", async () => {
    const id = await deliver();
    await database.sql`
      insert into workspaces.events (workspace_id, delivery_id, channel_id, ts, action, result) values
        (${workspace}, ${id}, ${channel}, ${at(-60)}, 'enqueue', 'ok'),
        (${workspace}, ${id}, ${channel}, ${at(-30)}, 'retry_scheduled', 'error'),
        (${workspace}, null, ${channel}, ${at(-20)}, 'channel_paused', 'error')`;
    const found = async (query: string) => {
      const { body }: { body: { items?: { action: string }[] } } = await ask(`/events?${query}`);
      return (body.items ?? []).map(({ action }) => action);
    };
    expect(await found("result=error")).toEqual(["channel_paused", "retry_scheduled"]);
    expect(await found("action=enqueue,channel_paused")).toEqual(["channel_paused", "enqueue"]);
    expect(await found(`delivery_id=${id}`)).toEqual(["retry_scheduled", "enqueue"]);
    expect(await found(`channel_id=${channel}&result=ok`)).toEqual(["enqueue"]);
    expect(await found(`since=${at(-45).toISOString()}&until=${at(-20).toISOString()}`)).toEqual([
      "retry_scheduled",
    ]);
    expect((await ask("/errors")).body).toMatchObject({
      items: [{ action: "channel_paused" }, { action: "retry_scheduled" }],
    });
  });
});

describe("GET /queue", () => {
  // covers autoposting: 1) Queue snapshot by status
  it("counts what is on its way by status and by channel, and says what blocks a channel", async () => {
    await deliver();
    await deliver({ status: "retry", next_retry_at: at(60) });
    await deliver({ held_at: now, hold_reason: "stale" });
    await deliver({ status: "sent" });
    await deliver({ status: "dead" });
    await database.sql`update delivery.channels set enabled = false where channel_id = ${channel}`;
    expect((await ask("/queue")).body).toMatchObject({
      by_status: { queued: 2, retry: 1, claimed: 0, sending: 0, dead: 1 },
      held: 1,
      due: 1,
      channels: [{ channel: { id: channel }, block: "channel_disabled", queued: 2, due: 1, held: 1 }],
    });
  });
});

describe("operations over HTTP", () => {
  // covers autoposting: 3) Safe requeue for dead
  it("requeue takes ids, tells each one's fate and names the token in the audit trail", async () => {
    const dead = await deliver({ status: "dead", attempt: 5 });
    const sent = await deliver({ status: "sent" });
    const asked = { ids: [dead, sent], reason: "починили" };
    expect((await ask("/deliveries/requeue", { ...asked, dry_run: true })).body).toMatchObject({
      dry_run: true,
      changed: 1,
    });
    expect((await ask(`/deliveries/${dead}`)).body).toMatchObject({ status: "dead" });
    expect((await ask("/deliveries/requeue", asked)).body).toMatchObject({
      dry_run: false,
      changed: 1,
      items: [
        { delivery_id: dead, was: "dead", status: "retry", refusal: null },
        { delivery_id: sent, refusal: "it was sent already" },
      ],
    });
    expect((await ask(`/deliveries/${dead}`)).body).toMatchObject({
      status: "retry",
      attempt: 5,
      requeues: 1,
      events: [
        {
          action: "manual_requeue",
          by: "read operate",
          meta: { operator: expect.stringMatching(/^token:[0-9a-f-]{36}$/), reason: "починили" },
        },
      ],
    });
  });

  it("leave the id of whoever called, which shows under their present name", async () => {
    const dead = await deliver({ status: "dead", attempt: 5 });
    await ask("/deliveries/requeue", { ids: [dead], reason: "починили" });
    await database.sql`update molva.api_tokens set name = 'Переименован' where name = 'read operate'`;
    expect((await ask(`/deliveries/${dead}`)).body).toMatchObject({ events: [{ by: "Переименован" }] });
    await database.sql`update molva.api_tokens set name = 'read operate' where name = 'Переименован'`;
  });

  // covers autoposting: 4) Requeue failed_permanent
  it("requeue takes a filter, and means the dead unless told otherwise", async () => {
    const dead = await deliver({ status: "dead" });
    const failed = await deliver({ now: at(1), status: "failed_permanent" });
    const reason = "разобрались";
    expect((await ask("/deliveries/requeue", { filter: {}, reason, dry_run: true })).body).toMatchObject({
      items: [{ delivery_id: dead }],
    });
    const filter = { status: ["failed_permanent"], channel_id: channel };
    expect((await ask("/deliveries/requeue", { filter, reason })).body).toMatchObject({
      changed: 1,
      items: [{ delivery_id: failed }],
    });
  });

  it.each([
    [{}, "/reason"],
    [{ reason: "проба" }, "/ids"],
    [{ reason: "проба", ids: [], filter: {} }, "/ids"],
    [{ reason: "  ", filter: {} }, "/reason"],
    [{ reason: "проба", filter: { status: ["sent"] } }, "/filter/status/0"],
  ])("requeue refuses %j", async (body, pointer) => {
    const { status, body: answer } = await ask("/deliveries/requeue", body);
    expect(status).toBe(400);
    expect(answer).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ pointer })]) });
  });

  it("hold, release, send-now and cancel work on one, or say why they are refused", async () => {
    const id = await deliver({ not_before: at(3600), scheduled_for: at(3600) });
    const reason = "решили";
    expect((await ask(`/deliveries/${id}/hold`, { reason })).status).toBe(200);
    expect((await ask(`/deliveries/${id}`)).body).toMatchObject({ why: { reason: "held" } });
    expect(await ask(`/deliveries/${id}/send-now`, { reason })).toMatchObject({
      status: 409,
      body: { code: "conflict", detail: "The delivery stays as it is: it is held: release it first." },
    });
    expect((await ask(`/deliveries/${id}/release`, { reason })).status).toBe(200);
    expect((await ask(`/deliveries/${id}`)).body).toMatchObject({ why: { reason: "scheduled" } });
    expect((await ask(`/deliveries/${id}/send-now`, { reason })).status).toBe(200);
    expect((await ask(`/deliveries/${id}/cancel`, { reason })).status).toBe(200);
    expect((await ask(`/deliveries/${id}/cancel`, { reason })).status).toBe(409);
    expect((await ask(`/deliveries/${id}`)).body).toMatchObject({
      why: { reason: "failed_permanent", details: { error: { code: "cancelled" }, can_requeue: true } },
    });
  });

  it("reschedule gives a waiting delivery another time, with an event, or says why not", async () => {
    const id = await deliver({ not_before: at(3600), scheduled_for: at(3600) });
    const move = (seconds: number, which = id) =>
      ask(`/deliveries/${which}/reschedule`, { at: at(seconds).toISOString(), reason: "перенос" });
    expect(await move(7200)).toMatchObject({ status: 200, body: { was: "queued", status: "queued" } });
    expect((await ask(`/deliveries/${id}`)).body).toMatchObject({
      due_at: at(7200).toISOString(),
      why: { reason: "scheduled", expected_at: at(7200).toISOString() },
      events: [
        {
          action: "rescheduled",
          meta: { reason: "перенос", operator: expect.stringContaining("token") },
        },
      ],
    });
    expect(await move(-1)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("the time is in the past") },
    });
    expect(await move(400 * 86_400)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("more than a year ahead") },
    });
    for (const [given, words] of [
      [{ status: "claimed" }, "has its slot already"],
      [{ status: "sending", attempt: 1 }, "it is being sent"],
      [{ held_at: now, hold_reason: "проба" }, "release it first"],
    ] as const)
      expect(await move(60, await deliver(given))).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining(words) },
      });
    const retry = { status: "retry", attempt: 1, next_retry_at: at(60) } as const;
    const asked = await deliver({ ...retry, last_error: { code: "flood", retry_after_ms: 60_000 } });
    expect((await move(30, asked)).status).toBe(409);
    expect((await move(90, asked)).status).toBe(200);
    expect(await ask(`/deliveries/${id}/reschedule`, { at: "завтра", reason: "перенос" })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/at" }] },
    });
  });

  describe("recover", () => {
    const refused = {
      category: "PERMANENT",
      scope: "channel",
      code: "unauthorized",
      message: "токен отозван",
    };

    /** A delivery that failed at this time, as the dispatcher leaves it: with its event. */
    async function failedAt(seconds: number, given: DeliveryBuilder & { in?: string } = {}): Promise<string> {
      const { in: where = channel, ...rest } = given;
      const id = await aDelivery(database.sql, workspace, where, {
        now: at(seconds - 60),
        status: "failed_permanent",
        attempt: 1,
        last_error: refused,
        ...rest,
      });
      await database.sql`
        insert into workspaces.events (workspace_id, delivery_id, channel_id, ts, action, result)
        values (${workspace}, ${id}, ${where}, ${at(seconds)},
          ${rest.status === "dead" ? "dead_letter" : "failed_permanent"}, 'error')`;
      return id;
    }

    const statusOf = async (id: string) => {
      const [row] = await database.sql`select status from delivery.deliveries where delivery_id = ${id}`;
      return row?.status;
    };

    /** Stopped as after refusals. */
    async function stopped(where: string, manual = false): Promise<void> {
      await database.sql`
        update delivery.channels set enabled = false, error_streak = 3 where channel_id = ${where}`;
      await database.sql`
        insert into workspaces.events (workspace_id, channel_id, ts, action, result, error, meta)
        values (${workspace}, ${where}, ${at(-10)}, 'channel_disabled', ${manual ? "ok" : "error"},
          ${manual ? null : database.sql.json(refused)}, ${database.sql.json(manual ? { manual: true, operator: "anna" } : {})})`;
    }

    const enabled = async (where: string) => {
      const [row] = await database.sql`select enabled from delivery.channels where channel_id = ${where}`;
      return row?.enabled;
    };

    // covers autoposting: 4) Requeue failed_permanent
    it("brings back what failed since then, after a dry run that says so, and resumes what refusals stopped", async () => {
      const long = await failedAt(-7200);
      const short = await failedAt(-600);
      const dead = await failedAt(-300, { status: "dead", attempt: 5 });
      const own = await failedAt(-300, { last_error: { ...refused, scope: "delivery" } });
      await stopped(channel);
      const asked = { since: at(-3600).toISOString(), reason: "новый токен" };

      const rehearsed = await ask("/deliveries/recover", { ...asked, dry_run: true });
      const expected = { recovered: 2, resumed: 1, still_stopped: 0 };
      expect(rehearsed).toMatchObject({ status: 200, body: { dry_run: true, ...expected } });
      expect([await statusOf(short), await enabled(channel)]).toEqual(["failed_permanent", false]);

      expect((await ask("/deliveries/recover", asked)).body).toMatchObject({
        dry_run: false,
        ...expected,
        channels: [{ channel_id: channel, deliveries: 2 }],
      });
      expect(await Promise.all([long, short, dead, own].map(statusOf))).toEqual([
        "failed_permanent",
        "retry",
        "retry",
        "failed_permanent",
      ]);
      expect(await enabled(channel)).toBe(true);
      expect((await ask(`/deliveries/${short}`)).body).toMatchObject({
        requeues: 1,
        events: [
          {
            action: "manual_requeue",
            meta: { recovered: true, reason: "новый токен", from_code: "unauthorized" },
          },
          { action: "failed_permanent" },
        ],
      });
      expect((await ask("/deliveries/recover", asked)).body).toMatchObject({ recovered: 0, resumed: 0 });
    });

    it("takes a channel or a credential, and leaves alone what an operator stopped", async () => {
      const other = await aChannel(database.sql, workspace, { auth_ref: "other-bot" });
      const [mine, theirs] = [await failedAt(-60), await failedAt(-60, { in: other })];
      await stopped(other, true);
      const asked = { since: at(-3600).toISOString(), reason: "починили" };
      const credential = { platform: "telegram", auth_ref: "other-bot" };
      expect((await ask("/deliveries/recover", { ...asked, credential })).body).toMatchObject({
        recovered: 1,
        resumed: 0,
        still_stopped: 1,
      });
      expect([await statusOf(mine), await statusOf(theirs)]).toEqual(["failed_permanent", "retry"]);
      expect(
        (await ask("/deliveries/recover", { ...asked, channel_id: channel, dry_run: true })).body,
      ).toMatchObject({ recovered: 1 });
      expect((await ask("/deliveries/recover", { ...asked, channel_id: channel, credential })).status).toBe(
        400,
      );
    });

    it("does not bring what has come by another delivery, however long ago", async () => {
      const id = await failedAt(-8 * 86_400);
      const [row] = await database.sql`select message_id from delivery.deliveries where delivery_id = ${id}`;
      await deliver({ status: "sent", now: at(-8 * 86_400 + 60), message_id: row?.message_id });
      const asked = { since: at(-9 * 86_400).toISOString(), reason: "починили" };
      expect((await ask("/deliveries/recover", asked)).body).toMatchObject({ recovered: 0 });
    });
  });

  describe("cancel of many", () => {
    it("calls off ten thousand posts in sets, each with its event", async () => {
      await database.sql`
        with posts as (
          insert into delivery.messages (workspace_id, message_id, content_hash, payload, tags)
          select ${workspace}, molva.uuidv7(${now}), n::text, '{"text": "не то"}', array['ошибка']
          from generate_series(1, 10000) n
          returning message_id, content_hash
        )
        insert into delivery.deliveries (workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash, status, created_at)
        select ${workspace}, molva.uuidv7(${now}), message_id, ${channel}, 1, content_hash, 'queued', ${now} from posts`;
      const wanted = await deliver();
      const asked = { filter: { tags: ["Ошибка"] }, reason: "опубликовали не то" };
      expect((await ask("/deliveries/cancel", { ...asked, dry_run: true })).body).toMatchObject({
        dry_run: true,
        changed: 10_000,
      });
      expect((await ask("/deliveries/cancel", asked)).body).toMatchObject({
        dry_run: false,
        changed: 10_000,
        channels: [{ channel_id: channel, deliveries: 10_000 }],
      });
      const [left] = await database.sql`
        select count(*) filter (where status = 'queued')::int as queued, count(*) filter (where last_error ->> 'code' = 'cancelled')::int as cancelled
        from delivery.deliveries where workspace_id = ${workspace}`;
      expect(left).toEqual({ queued: 1, cancelled: 10_000 });
      const [events] = await database.sql`
        select count(*)::int, min(meta ->> 'reason') as reason from workspaces.events where workspace_id = ${workspace} and action = 'cancelled'`;
      expect(events).toEqual({ count: 10_000, reason: "опубликовали не то" });
      expect(await ask(`/deliveries/${wanted}`)).toMatchObject({ body: { status: "queued" } });
    });

    it("chooses by channel, state, age and source, and never what is being sent", async () => {
      const other = await aChannel(database.sql, workspace);
      const [endpoint] = await database.sql<[{ id: string }]>`
        insert into delivery.workspace_endpoints (workspace_id, kind, secret_hash)
        values (${workspace}, 'webhook_push', ${"a".repeat(64)}) returning endpoint_id as id`;
      const message = await aMessage(database.sql, workspace, now);
      await database.sql`
        update delivery.messages set source = ${database.sql.json({ endpoint_id: endpoint.id })} where message_id = ${message}`;
      const made = {
        old: await deliver({ now: at(-7200) }),
        held: await deliver({ held_at: now, hold_reason: "stale" }),
        retry: await deliver({ status: "retry" }),
        sourced: await deliver({ message_id: message }),
        elsewhere: await aDelivery(database.sql, workspace, other, { now }),
        sending: await deliver({ status: "sending", attempt: 1 }),
      };
      const chosen = async (filter: object) => {
        const asked = { filter, reason: "проверка", dry_run: true };
        return (await ask("/deliveries/cancel", asked)).body;
      };
      expect(await chosen({ created_before: at(-3600).toISOString() })).toMatchObject({ changed: 1 });
      expect(await chosen({ created_after: at(-3600).toISOString() })).toMatchObject({ changed: 4 });
      expect(await chosen({ states: ["held"] })).toMatchObject({ changed: 1 });
      expect(await chosen({ states: ["retry", "held"] })).toMatchObject({ changed: 2 });
      expect(await chosen({ channel_ids: [other] })).toMatchObject({
        changed: 1,
        channels: [{ channel_id: other }],
      });
      expect(await chosen({ source: endpoint.id })).toMatchObject({ changed: 1 });
      expect(await chosen({ source: "nobody-knows-it" })).toMatchObject({ changed: 0 });
      expect(await chosen({ channel_ids: [channel, other] })).toMatchObject({ changed: 5 });
      await ask("/deliveries/cancel", { filter: { states: ["retry"] }, reason: "проверка" });
      expect((await ask(`/deliveries/${made.retry}`)).body).toMatchObject({ status: "failed_permanent" });
    });

    it.each([[{}], [{ states: ["sent"] }], [{ tags: [] }], [{ channel: "x" }]])(
      "refuses %j",
      async (filter) => {
        expect((await ask("/deliveries/cancel", { filter, reason: "проверка" })).status).toBe(400);
      },
    );
  });

  // covers autoposting: 10) Emergency release of stale claimed/sending
  it("release-stuck takes back what hangs", async () => {
    const id = await deliver({
      status: "sending",
      attempt: 1,
      claimed_at: at(-900),
      sending_started_at: at(-900),
    });
    const body = { older_than_seconds: 600, reason: "зависло" };
    expect((await ask("/deliveries/release-stuck", { ...body, dry_run: true })).body).toMatchObject({
      changed: 1,
    });
    expect((await ask("/deliveries/release-stuck", body)).body).toMatchObject({
      items: [{ delivery_id: id, status: "retry" }],
    });
    expect((await ask("/deliveries/release-stuck", body)).body).toMatchObject({ changed: 0 });
  });
});

describe("who may", () => {
  const id = "00000000-0000-7000-8000-0000000000ff";
  const reads = [
    "/deliveries",
    `/deliveries/${id}`,
    "/messages",
    `/messages/${id}`,
    "/events",
    "/queue",
    "/errors",
  ];
  const changes = [
    "requeue",
    "release-stuck",
    ...["cancel", "hold", "release", "send-now", "reschedule"].map((name) => `${id}/${name}`),
  ];
  const bodyOf = (path: string) =>
    path === "requeue"
      ? { ids: [id], reason: "проба" }
      : { reason: "проба", ...(path.endsWith("reschedule") && { at: at(60).toISOString() }) };

  it.each(reads)("GET %s: with `read`, in its own workspace", async (path) => {
    headers = {};
    expect((await ask(path)).status).toBe(401);
    headers = await server.bearer(["operate"], workspace);
    expect((await ask(path)).status).toBe(403);
    headers = await server.bearer(["read"], await aWorkspace(database.sql));
    expect((await ask(`${path}?workspace_id=${workspace}`)).body).toMatchObject({ code: "other_workspace" });
    headers = await server.bearer(["read"]);
    expect((await ask(`${path}?workspace_id=${id}`)).status).toBe(404);
  });

  it.each(changes)("POST /deliveries/%s: with `operate`, in its own workspace", async (path) => {
    headers = {};
    expect((await ask(`/deliveries/${path}`, bodyOf(path))).status).toBe(401);
    headers = await server.bearer(["read", "write"], workspace);
    expect((await ask(`/deliveries/${path}`, bodyOf(path))).status).toBe(403);
    headers = await server.bearer(["operate"], await aWorkspace(database.sql));
    expect((await ask(`/deliveries/${path}?workspace_id=${workspace}`, bodyOf(path))).body).toMatchObject({
      code: "other_workspace",
    });
  });

  it("a foreign id is not found, whether one looks or acts", async () => {
    const foreign = await deliver({ status: "dead" });
    const [row] =
      await database.sql`select message_id from delivery.deliveries where delivery_id = ${foreign}`;
    headers = await server.bearer(["read", "operate"], await aWorkspace(database.sql));
    expect((await ask(`/deliveries/${foreign}`)).status).toBe(404);
    expect((await ask(`/messages/${row?.message_id}`)).status).toBe(404);
    for (const name of ["cancel", "hold", "release", "send-now"])
      expect((await ask(`/deliveries/${foreign}/${name}`, { reason: "проба" })).status).toBe(404);
    expect((await ask("/deliveries/requeue", { ids: [foreign], reason: "проба" })).body).toMatchObject({
      changed: 0,
    });
    expect((await ask(`/events?delivery_id=${foreign}`)).body).toMatchObject({ items: [] });
  });
});
