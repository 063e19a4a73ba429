import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { enqueue } from "../../src/delivery/testing/builders.ts";
import { hookSecret, type N8nHarness, startN8nHarness, type Tenant } from "../support/n8n/harness.ts";
import { until } from "../support/until.ts";

/** The exports for n8n, walked through against a running Molva, its database and the twins. */
let harness: N8nHarness;
let tenant: Tenant;

beforeAll(async () => {
  harness = await startN8nHarness();
});
afterAll(async () => {
  await harness.stop();
});
beforeEach(async () => {
  tenant = await harness.aTenant();
});

const called = (body: unknown = {}) => ({ headers: { "x-molva-hook": hookSecret }, body });
const dispatch = () => harness.walk("02_dispatcher", "Every 5 seconds");
const watch = (env?: Record<string, string>) => harness.walk("03_monitor", "Every minute", {}, env);

// covers autoposting: Components
it.each([
  ["01_ingest", "Pull once"],
  ["02_dispatcher", "Dispatch once"],
  ["03_monitor", "Watch once"],
  ["adapter_telegram", "Hook"],
  ["adapter_max", "Hook"],
])("%s is run once by a hook, by nobody without its secret, and answers", async (workflow, hook) => {
  for (const headers of [{}, { "x-molva-hook": "guess" }]) {
    const { answer, way } = await harness.walk(workflow, hook, { headers, body: {} });
    expect([answer?.status, way]).toEqual([403, [hook]]);
  }
  const { answer } = await harness.walk(workflow, hook, called());
  expect(answer).toMatchObject({ status: 200, body: { ok: !workflow.startsWith("adapter") } });
});

describe("01_ingest", () => {
  const push = (headers: Record<string, string>, body: unknown, env?: Record<string, string>) =>
    harness.walk("01_ingest", "Post", { headers, body }, env);

  // covers autoposting: Components
  it("hands a post over with its secret and key, and a repeat with the key is dropped", async () => {
    await tenant.aChannel("telegram");
    const headers = { "x-molva-secret": tenant.secret, "idempotency-key": "post-1" };
    const first = await push(headers, { payload: { text: "Новость" } });
    const second = await push(headers, { payload: { text: "Новость, исправленная" } });
    expect(first.answer).toMatchObject({ status: 200, body: { ok: true, queued: 1 } });
    expect(second.answer).toMatchObject({
      status: 200,
      body: { dropped: true, reason: "ingress_dedup_dropped" },
    });
    const bearer = { authorization: `Bearer ${tenant.secret}` };
    expect((await push(bearer, { payload: { text: "Ещё" } })).answer?.status).toBe(200);
  });

  // covers autoposting: Components
  it("answers what Molva answers to a bad secret, a bad body and a flood", async () => {
    const body = { payload: { text: "Новость" } };
    const secret = { "x-molva-secret": tenant.secret };
    expect((await push({ "x-molva-secret": "guess" }, body)).answer).toMatchObject({
      status: 403,
      headers: { "Content-Type": expect.stringContaining("application/problem+json") },
      body: { code: "endpoint_auth_failed" },
    });
    expect((await push({}, body)).answer).toMatchObject({
      status: 401,
      body: { code: "missing_endpoint_secret" },
    });
    expect((await push(secret, { payload: { text: 5 } })).answer).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/payload/text" }] },
    });
    await harness.database.sql`
      update delivery.workspace_endpoints set ingress_rps = 0.01 where workspace_id = ${tenant.workspaceId}`;
    await push(secret, { payload: { text: "Первая" } });
    const { answer, way } = await push(secret, { payload: { text: "Вторая" } });
    expect(answer).toMatchObject({ status: 429, body: { code: "ingress_rate_limited" } });
    expect(Number(answer?.headers["Retry-After"])).toBeGreaterThan(0);
    expect(way.at(-1)).toBe("Come again later");
  });

  it("asks to come again when Molva does not answer", async () => {
    const { answer } = await push({}, {}, { MOLVA_URL: "http://127.0.0.1:9" });
    expect(answer).toMatchObject({
      status: 503,
      headers: { "Retry-After": "5" },
      body: { code: "molva_unreachable" },
    });
  });

  // covers autoposting: Components
  it("has the enabled sources read behind their cursors, those that are due, every item once", async () => {
    await tenant.aChannel("max");
    const list = [{ id: 1, title: "Первая" }];
    const serve = () => harness.feeds.serve("/list", { body: JSON.stringify(list) });
    serve();
    const config = {
      url: `${harness.feeds.url}/list`,
      order: "oldest_first",
      fields: { id: "/id", text: "/title" },
    };
    for (const source_id of ["from-n8n", "switched-off"]) {
      const made = await fetch(`${harness.url}/api/v1/sources`, {
        method: "POST",
        headers: { authorization: tenant.authorization, "content-type": "application/json" },
        body: JSON.stringify({ source_id, kind: "api", config }),
      });
      expect(made.status).toBe(201);
    }
    const { sql } = harness.database;
    await sql`update delivery.pull_sources set enabled = false where source_id = 'switched-off'`;
    const pull = async (hook = false) =>
      (await harness.walk("01_ingest", hook ? "Pull once" : "Every 10 minutes", hook ? called() : {})).output;
    expect(await pull()).toMatchObject({
      ok: true,
      sources: [{ source_id: "from-n8n", cursor_from: {}, outcome: "done" }],
    });
    expect(await pull()).toEqual({ ok: true, kind: "pull", sources: [] });
    list.push({ id: 2, title: "Вторая" });
    serve();
    expect(await pull(true)).toMatchObject({
      sources: [{ cursor_from: { baseline: true }, outcome: "done" }],
    });
    const texts = await sql`
      select payload ->> 'text' as text from delivery.messages where workspace_id = ${tenant.workspaceId} order by created_at`;
    expect(texts.map(({ text }) => text)).toEqual(["Первая", "Вторая"]);
    harness.feeds.serve("/list", { status: 500, body: "broken" });
    expect(await pull(true)).toMatchObject({ ok: false, sources: [{ outcome: "failed" }] });
  });
});

describe("02_dispatcher", () => {
  // covers autoposting: Components
  it("carries a text to both messengers as Molva compiled it, once", async () => {
    const telegram = await tenant.aChannel("telegram");
    const max = await tenant.aChannel("max");
    const id = await tenant.post({
      text: "<b>Матч</b> сегодня",
      parse_mode: "HTML",
      buttons: [[{ text: "Билеты", url: "https://tickets.example/1" }]],
    });
    expect((await dispatch()).output).toMatchObject({ ok: true, claimed_deliveries: 2, started: 2, sent: 2 });
    expect((await dispatch()).output).toMatchObject({ ok: true, claimed_deliveries: 0, sent: 0 });
    const deliveries = await tenant.deliveries(id);
    for (const [messenger, chat] of [
      ["telegram", telegram],
      ["max", max],
    ] as const) {
      const [message, ...more] = await harness.messages(messenger, chat);
      expect(more).toEqual([]);
      expect(message).toMatchObject({ text: "Матч сегодня", buttons: [[{ text: "Билеты" }]] });
      expect(message?.marks).toContainEqual(expect.objectContaining({ type: "bold", offset: 0, length: 4 }));
      expect(deliveries[chat]).toMatchObject({ status: "sent", attempt: 1, last_error: null });
      expect(deliveries[chat]?.provider_message_id).toBe(message?.id);
      expect(await tenant.actions(id, chat)).toEqual(["enqueue", "send_attempt", "sent"]);
    }
  });

  // covers autoposting: Transactional SQL boundary
  it("carries media, albums, series and what came by plain SQL", async () => {
    const telegram = await tenant.aChannel("telegram", { settings: { too_long: "split" } });
    const max = await tenant.aChannel("max", { settings: { too_long: "split" } });
    const photo = { type: "photo", url: `${harness.twinsUrl}/demo/lake.jpg` };
    const posts = [
      await tenant.post({ text: "Озеро", media: [photo] }),
      await tenant.post({
        text: "Дважды",
        media: [photo, { ...photo, url: `${harness.twinsUrl}/demo/camp.jpg` }],
      }),
      await tenant.post({ text: "Длинный рассказ. ".repeat(300) }),
      (await enqueue(harness.database.sql, tenant.workspaceId, "Прямо из SQL")).message_id,
    ];
    await until("everything is sent", async () => {
      await dispatch();
      const all = (await Promise.all(posts.map(tenant.deliveries))).flatMap((each) => Object.values(each));
      return all.every(({ status }) => status === "sent");
    });
    for (const [messenger, chat] of [["telegram", telegram] as const, ["max", max] as const]) {
      const shown = await harness.messages(messenger, chat);
      expect(shown.flatMap(({ media }) => media)).toHaveLength(3);
      expect(shown.filter(({ text }) => text.includes("Длинный рассказ")).length).toBeGreaterThan(1);
      expect(shown.filter(({ text }) => text === "Прямо из SQL")).toHaveLength(1);
    }
  });

  it("sends with tokens that only Molva has, and only for the workspaces of its own token", async () => {
    const chat = await tenant.aChannel("telegram");
    const stranger = { ...tenant, id: await tenant.post({ text: "Не моё" }) };
    const mine = await harness.aTenant();
    await harness.database.sql`
      update workspaces.workspaces set status = 'active' where workspace_id = ${stranger.workspaceId}`;
    const own = await mine.aChannel("max");
    const id = await mine.post({ text: "Моё" });
    expect((await dispatch()).output).toMatchObject({ claimed_deliveries: 1, sent: 1 });
    expect((await mine.deliveries(id))[own]?.status).toBe("sent");
    expect((await stranger.deliveries(stranger.id))[chat]).toMatchObject({ status: "queued", attempt: 0 });
  });

  it("claims nothing when Molva does not answer", async () => {
    const chat = await tenant.aChannel("telegram");
    const id = await tenant.post({ text: "Подождёт" });
    await expect(
      harness.walk("02_dispatcher", "Every 5 seconds", {}, { MOLVA_URL: "http://127.0.0.1:9" }),
    ).rejects.toThrow();
    expect((await tenant.deliveries(id))[chat]).toMatchObject({ status: "queued", attempt: 0 });
  });

  // covers autoposting: Transactional SQL boundary
  it("beside Molva's dispatcher and another run of its own sends nothing twice", async () => {
    const chats = {
      telegram: [await tenant.aChannel("telegram"), await tenant.aChannel("telegram")],
      max: [await tenant.aChannel("max"), await tenant.aChannel("max")],
    };
    const texts = Array.from({ length: 6 }, (_, index) => `Пост ${index}`);
    const posts: string[] = [];
    for (const text of texts) posts.push(await tenant.post({ text }));
    const molva = await harness.alsoRun(["dispatcher"]);
    await Promise.all([
      dispatch(),
      dispatch(),
      ...texts.map((text) => tenant.post({ text: `${text}, ещё` })),
    ]);
    await until("everything is sent", async () => {
      await dispatch();
      const rows = await harness.database.sql`
        select from delivery.deliveries where workspace_id = ${tenant.workspaceId} and status <> 'sent' limit 1`;
      return rows.length === 0;
    });
    await molva.stop();
    for (const messenger of ["telegram", "max"] as const)
      for (const chat of chats[messenger])
        expect((await harness.messages(messenger, chat)).map(({ text }) => text).sort()).toEqual(
          texts.flatMap((text) => [text, `${text}, ещё`]).sort(),
        );
  });

  // covers autoposting: Transactional SQL boundary
  it("waits as long as a 429 asks and tries again after a 503, on record", async () => {
    const slow = await tenant.aChannel("telegram");
    const broken = await tenant.aChannel("max");
    await harness.fault({ chat: slow }, { kind: "status", status: 429, retryAfter: 2 });
    await harness.fault({ chat: broken }, { kind: "status", status: 503 });
    const id = await tenant.post({ text: "Подождём" });
    const before = Date.now();
    await dispatch();
    const { [slow]: limited, [broken]: failed } = await tenant.deliveries(id);
    expect(limited).toMatchObject({
      status: "retry",
      attempt: 1,
      last_error: { code: "rate_limited", retry_after_ms: 2_000 },
    });
    expect(limited?.next_retry_at?.getTime()).toBeGreaterThanOrEqual(before + 2_000);
    expect(failed).toMatchObject({ status: "retry", last_error: { code: "upstream_unavailable" } });
    await until("both have arrived", async () => {
      await dispatch();
      return Object.values(await tenant.deliveries(id)).every(({ status }) => status === "sent");
    });
    const kept = await harness.database.sql`
      select payload_ref is not null as kept, error ? 'raw' as raw from workspaces.events
      where workspace_id = ${tenant.workspaceId} and action = 'retry_scheduled'`;
    expect(kept).toEqual([
      { kept: true, raw: false },
      { kept: true, raw: false },
    ]);
    for (const [messenger, chat] of [["telegram", slow] as const, ["max", broken] as const]) {
      expect(await harness.messages(messenger, chat)).toHaveLength(1);
      expect(await tenant.actions(id, chat)).toEqual([
        "enqueue",
        "send_attempt",
        "retry_scheduled",
        "send_attempt",
        "sent",
      ]);
    }
  });

  // covers autoposting: Transactional SQL boundary
  it("takes a lost or unreadable answer for unknown, and looks before it sends again", async () => {
    const lost = await tenant.aChannel("max");
    const garbled = await tenant.aChannel("max");
    await harness.fault({ chat: lost }, { kind: "drop_after" });
    await harness.fault({ chat: garbled }, { kind: "malformed" });
    const id = await tenant.post({ text: "Дошло ли?" });
    expect((await dispatch()).output).toMatchObject({ unknown: 2 });
    for (const row of Object.values(await tenant.deliveries(id)))
      expect(row).toMatchObject({ status: "retry", attempt: 1, last_error: { code: "outcome_unknown" } });
    await harness.database.sql`
      update delivery.deliveries set next_retry_at = now() where workspace_id = ${tenant.workspaceId}`;
    expect((await dispatch()).output).toMatchObject({ sent: 2 });
    for (const chat of [lost, garbled]) {
      expect(await harness.messages("max", chat)).toHaveLength(1);
      expect(await tenant.actions(id, chat)).toContain("reconciled_found");
    }
  });

  it("leaves to others what they took over meanwhile, and settles the rest", async () => {
    const taken = await tenant.aChannel("max");
    const kept = await tenant.aChannel("max");
    await harness.fault({ chat: taken }, { kind: "delay", ms: 1_000 });
    const id = await tenant.post({ text: "Чьё это?" });
    const run = dispatch();
    await until("another has taken it over", async () => {
      const { count } = await harness.database.sql`
        update delivery.deliveries d set claim_token = 'another' from delivery.channels c
        where c.channel_id = d.channel_id and c.target_id = ${taken} and d.status = 'sending'`;
      return count > 0;
    });
    expect((await run).output).toMatchObject({ ok: false, sent: 1, conflicts: 1 });
    const after = await tenant.deliveries(id);
    expect(after[taken]).toMatchObject({ status: "sending", provider_message_id: null });
    expect(after[kept]).toMatchObject({ status: "sent" });
  });

  it("has what a messenger refuses for good on record, with the channel's pause", async () => {
    const closed = await tenant.aChannel("max");
    await harness.fault({ chat: closed }, { kind: "status", status: 403 });
    const id = await tenant.post({ text: "Закрыто" });
    expect((await dispatch()).output).toMatchObject({ failed_permanent: 1 });
    expect(await tenant.actions(id, closed)).toEqual([
      "enqueue",
      "send_attempt",
      "failed_permanent",
      "channel_paused",
    ]);
  });
});

describe("03_monitor", () => {
  const botToken = { MOLVA_ALERT_BOT: `7200000001:${"N".repeat(35)}` };

  async function aTarget(kind: string, config: Record<string, string>): Promise<void> {
    await harness.database.sql`
      insert into delivery.alert_targets (workspace_id, target_id, kind, config, secret_ref, language, enabled)
      values (${tenant.workspaceId}, gen_random_uuid(), ${kind}, ${harness.database.sql.json(config)},
        ${kind === "telegram" ? "env:MOLVA_ALERT_BOT" : null}, 'ru', true)`;
  }

  /** A post that a process was sending when it died. */
  async function anAbandonedPost(): Promise<string> {
    const { sql } = harness.database;
    const chat = await tenant.aChannel("max");
    await tenant.post({ text: "Брошено" });
    await sql`select delivery.claim_deliveries(${tenant.workspaceId}, 'dead', 10)`;
    await sql`select delivery.start_sending(${tenant.workspaceId}, 'dead', 10)`;
    await sql`
      update delivery.deliveries set sending_started_at = now() - interval '10 minutes'
      where workspace_id = ${tenant.workspaceId}`;
    return chat;
  }

  // covers autoposting: Components
  it("takes leases back and tells a chat of it, once, when there is something to tell", async () => {
    const chat = await harness.aChat("telegram");
    await aTarget("telegram", { chat_id: chat });
    const calm = await watch(botToken);
    expect(calm.way).not.toContain("Tell people");
    expect(calm.output).toMatchObject({ ok: true, alerts: [], snapshot: { by_status: { dead: 0 } } });
    await anAbandonedPost();
    await watch(botToken);
    const [row] = await harness.database.sql`
      select status, last_error ->> 'code' as code from delivery.deliveries where workspace_id = ${tenant.workspaceId}`;
    expect(row).toEqual({ status: "retry", code: "outcome_unknown" });
    await watch(botToken);
    const told = await harness.messages("telegram", chat);
    expect(told).toHaveLength(1);
    expect(told[0]?.text.split("\n")).toEqual([
      "Молва, Испытание: нужно внимание",
      "",
      "• Прерванные отправки, возвращённые в работу: 1",
      "    Канал, outcome_unknown",
      "",
      "Сейчас ждут 1, отправляются 0, мертвы 0, каналов на паузе 0.",
      "",
      "Чаще всего за последний час:",
      expect.stringMatching(/^• outcome_unknown: .+ × 1$/),
    ]);
  });

  it("tells again what a chat did not hear, and leaves other targets to Molva's monitor", async () => {
    const chat = await harness.aChat("telegram");
    await aTarget("telegram", { chat_id: chat });
    await aTarget("webhook", { url: "https://alerts.example/hook" });
    await anAbandonedPost();
    await harness.fault({ chat }, { kind: "status", status: 502 });
    const sends = () => harness.database.sql`
      select t.kind, s.status, s.attempts, s.last_error from delivery.alert_sends s
      join delivery.alert_targets t using (workspace_id, target_id)
      where s.workspace_id = ${tenant.workspaceId} order by t.kind`;
    await watch(botToken);
    expect(await sends()).toMatchObject([
      { kind: "telegram", status: "pending", attempts: 1, last_error: expect.any(String) },
      { kind: "webhook", status: "pending", attempts: 0 },
    ]);
    await watch({});
    await watch(botToken);
    expect(await sends()).toMatchObject([
      { kind: "telegram", status: "sent", attempts: 2 },
      { kind: "webhook", status: "pending", attempts: 0 },
    ]);
    expect(await harness.messages("telegram", chat)).toHaveLength(1);
  });
});
