import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { enqueue } from "../../src/delivery/testing/builders.ts";
import { type Said, type ScriptedMessenger, startMessenger } from "../support/n8n/messenger.ts";
import { type N8nStand, startN8nStand, type Tenant } from "../support/n8n/stand.ts";
import { until } from "../support/until.ts";

/** The exports for n8n, walked through against a running Molva, its database and the twins. */
let stand: N8nStand;
let tenant: Tenant;
const messengers: ScriptedMessenger[] = [];

beforeAll(async () => {
  stand = await startN8nStand();
});
afterAll(async () => {
  await stand.stop();
});
beforeEach(async () => {
  tenant = await stand.aTenant();
});

afterEach(() => {
  for (const messenger of messengers.splice(0)) messenger.close();
});

async function answering(say: (chat: string) => Said | Promise<Said>): Promise<string> {
  const messenger = await startMessenger(say);
  messengers.push(messenger);
  return messenger.url;
}

const dispatch = (env?: Record<string, string>) => stand.walk("02_dispatcher", "Every 5 seconds", {}, env);
const watch = (env?: Record<string, string>) => stand.walk("03_monitor", "Every minute", {}, env);

describe("01_ingest", () => {
  const push = (headers: Record<string, string>, body: unknown, env?: Record<string, string>) =>
    stand.walk("01_ingest", "Post", { headers, body }, env);

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
  });

  it("answers what Molva answers to a bad secret, a bad body and a flood", async () => {
    const body = { payload: { text: "Новость" } };
    const secret = { "x-molva-secret": tenant.secret };
    expect((await push({ "x-molva-secret": "guess" }, body)).answer).toMatchObject({
      status: 403,
      body: { code: "endpoint_auth_failed" },
    });
    expect((await push({}, body)).answer?.status).toBe(401);
    expect((await push(secret, { payload: { text: 5 } })).answer).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/payload/text" }] },
    });
    await stand.database.sql`
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

  it("gives a list that n8n reads to a source, every item once", async () => {
    await tenant.aChannel("max");
    const list = [{ id: 1, text: "Первая" }];
    const env = { PULL_URL: await answering(() => ({ body: list })), MOLVA_SOURCE_ID: "from-n8n" };
    const made = await fetch(`${stand.url}/api/v1/sources`, {
      method: "POST",
      headers: { authorization: tenant.authorization, "content-type": "application/json" },
      body: JSON.stringify({ source_id: "from-n8n", kind: "rss", config: { url: env.PULL_URL } }),
    });
    expect(made.status).toBe(201);
    const pull = () => stand.walk("01_ingest", "Every 10 minutes", {}, env);
    expect((await pull()).output).toMatchObject({ accepted: 1, queued: 1, cursor_to: "1" });
    list.push({ id: 2, text: "Вторая" });
    expect((await pull()).output).toMatchObject({ accepted: 1, dedup_dropped: 1, cursor_to: "2" });
    list.length = 0;
    expect((await pull()).way.at(-1)).toBe("Items for Molva");
    await expect(
      stand.walk("01_ingest", "Every 10 minutes", {}, { ...env, PULL_URL: "http://127.0.0.1:9" }),
    ).rejects.toThrow();
  });
});

describe("02_dispatcher", () => {
  it("carries a text to both messengers as Molva compiled it, once", async () => {
    const telegram = await tenant.aChannel("telegram");
    const max = await tenant.aChannel("max");
    const id = await tenant.post({
      text: "<b>Матч</b> сегодня",
      parse_mode: "HTML",
      buttons: [[{ text: "Билеты", url: "https://tickets.example/1" }]],
    });
    await dispatch();
    await dispatch();
    const deliveries = await tenant.deliveries(id);
    for (const [messenger, chat] of [
      ["telegram", telegram],
      ["max", max],
    ] as const) {
      const [message, ...more] = await stand.messages(messenger, chat);
      expect(more).toEqual([]);
      expect(message).toMatchObject({ text: "Матч сегодня", buttons: [[{ text: "Билеты" }]] });
      expect(message?.marks).toContainEqual(expect.objectContaining({ type: "bold", offset: 0, length: 4 }));
      expect(deliveries[chat]).toMatchObject({ status: "sent", attempt: 1, last_error: null });
      expect(deliveries[chat]?.provider_message_id).toBe(message?.id);
      expect(await tenant.actions(id, chat)).toEqual(["enqueue", "send_attempt", "sent"]);
    }
  });

  it("leaves what it cannot carry as it was, and Molva's dispatcher carries it", async () => {
    const chat = await tenant.aChannel("telegram", { settings: { too_long: "split" } });
    const other = await tenant.aChannel("max");
    const photo = { type: "photo", url: `${stand.twinsUrl}/demo/lake.jpg` };
    const posts = [
      await tenant.post({ text: "Озеро", media: [photo] }),
      await tenant.post({ text: "Длинный рассказ. ".repeat(300) }),
      await tenant.post({ text: "Обычный текст" }),
      // Not compiled before it is sent.
      (await enqueue(stand.database.sql, tenant.workspaceId, "Прямо из SQL")).message_id,
    ];
    const { way } = await dispatch({ MAX_BOT_TOKEN: "" });
    expect(way).toContain("mark_sent");
    const after = await Promise.all(posts.map(tenant.deliveries));
    expect(after.map((each) => each[chat]?.status)).toEqual(["queued", "queued", "sent", "queued"]);
    expect(after.map((each) => each[other]?.status)).toEqual([
      "queued",
      "failed_permanent",
      "queued",
      "queued",
    ]);
    expect(after.map((each) => each[chat]?.attempt)).toEqual([0, 0, 1, 0]);

    const molva = await stand.alsoRun(["dispatcher"]);
    await until("Molva has carried the rest", async () => {
      const all = (await Promise.all(posts.map(tenant.deliveries))).flatMap((each) => Object.values(each));
      return all.every(({ status }) => status === "sent" || status === "failed_permanent");
    });
    await molva.stop();
    for (const id of posts) expect((await tenant.deliveries(id))[chat]?.status).toBe("sent");
    const inTelegram = await stand.messages("telegram", chat);
    expect(inTelegram.filter(({ text }) => text === "Обычный текст")).toHaveLength(1);
    expect(inTelegram.flatMap(({ media }) => media)).toHaveLength(1);
  });

  it("beside Molva's dispatcher and another run of its own sends nothing twice", async () => {
    const chats = {
      telegram: [await tenant.aChannel("telegram"), await tenant.aChannel("telegram")],
      max: [await tenant.aChannel("max"), await tenant.aChannel("max")],
    };
    const texts = Array.from({ length: 6 }, (_, index) => `Пост ${index}`);
    const posts: string[] = [];
    for (const text of texts) posts.push(await tenant.post({ text }));
    const molva = await stand.alsoRun(["dispatcher"]);
    await Promise.all([
      dispatch(),
      dispatch(),
      ...texts.map((text) => tenant.post({ text: `${text}, ещё` })),
    ]);
    await until("everything is sent", async () => {
      await dispatch();
      const rows = await stand.database.sql`
        select from delivery.deliveries where workspace_id = ${tenant.workspaceId} and status <> 'sent' limit 1`;
      return rows.length === 0;
    });
    await molva.stop();
    for (const messenger of ["telegram", "max"] as const)
      for (const chat of chats[messenger])
        expect((await stand.messages(messenger, chat)).map(({ text }) => text).sort()).toEqual(
          texts.flatMap((text) => [text, `${text}, ещё`]).sort(),
        );
  });

  it("waits as long as a 429 asks and tries again after a 503, on record", async () => {
    const slow = await tenant.aChannel("telegram");
    const broken = await tenant.aChannel("max");
    await stand.fault({ chat: slow }, { kind: "status", status: 429, retryAfter: 2 });
    await stand.fault({ chat: broken }, { kind: "status", status: 503 });
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
    for (const [messenger, chat] of [["telegram", slow] as const, ["max", broken] as const]) {
      expect(await stand.messages(messenger, chat)).toHaveLength(1);
      expect(await tenant.actions(id, chat)).toEqual([
        "enqueue",
        "send_attempt",
        "retry_scheduled",
        "send_attempt",
        "sent",
      ]);
    }
  });

  it("takes a lost or unreadable answer for unknown, touches it no more, and Molva finds the post", async () => {
    const lost = await tenant.aChannel("max");
    const garbled = await tenant.aChannel("max");
    await stand.fault({ chat: lost }, { kind: "drop_after" });
    await stand.fault({ chat: garbled }, { kind: "malformed" });
    const id = await tenant.post({ text: "Дошло ли?" });
    await dispatch();
    for (const row of Object.values(await tenant.deliveries(id)))
      expect(row).toMatchObject({ status: "retry", attempt: 1, last_error: { code: "outcome_unknown" } });
    await stand.database.sql`
      update delivery.deliveries set next_retry_at = now() where workspace_id = ${tenant.workspaceId}`;
    expect((await dispatch()).way.at(-1)).toBe("Start");
    const molva = await stand.alsoRun(["dispatcher"]);
    await until("Molva has found both", async () =>
      Object.values(await tenant.deliveries(id)).every(({ status }) => status === "sent"),
    );
    await molva.stop();
    for (const chat of [lost, garbled]) {
      expect(await stand.messages("max", chat)).toHaveLength(1);
      expect(await tenant.actions(id, chat)).toContain("reconciled_found");
    }
  });

  it("leaves to others what they took over meanwhile, and settles the rest", async () => {
    const taken = await tenant.aChannel("max");
    const kept = await tenant.aChannel("max");
    const messenger = await answering(async (chat) => {
      if (chat === taken)
        await stand.database.sql`
          update delivery.deliveries d set claim_token = 'another' from delivery.channels c
          where c.channel_id = d.channel_id and c.target_id = ${taken} and d.status = 'sending'`;
      return { body: { message: { timestamp: 1, body: { mid: `mid-${chat}` } } } };
    });
    const id = await tenant.post({ text: "Чьё это?" });
    await dispatch({ MAX_API_ROOT: messenger });
    const after = await tenant.deliveries(id);
    expect(after[taken]).toMatchObject({ status: "sending", provider_message_id: null });
    expect(after[kept]).toMatchObject({ status: "sent", provider_message_id: `mid-${kept}` });
  });
});

describe("03_monitor", () => {
  const botToken = { MOLVA_ALERT_BOT: `7200000001:${"N".repeat(35)}` };

  async function aTarget(kind: string, config: Record<string, string>): Promise<void> {
    await stand.database.sql`
      insert into delivery.alert_targets (workspace_id, target_id, kind, config, secret_ref, language, enabled)
      values (${tenant.workspaceId}, gen_random_uuid(), ${kind}, ${stand.database.sql.json(config)},
        ${kind === "telegram" ? "env:MOLVA_ALERT_BOT" : null}, 'ru', true)`;
  }

  /** A post that a process was sending when it died. */
  async function anAbandonedPost(): Promise<string> {
    const { sql } = stand.database;
    const chat = await tenant.aChannel("max");
    await tenant.post({ text: "Брошено" });
    await sql`select delivery.claim_deliveries(${tenant.workspaceId}, 'dead', 10)`;
    await sql`select delivery.start_sending(${tenant.workspaceId}, 'dead', 10)`;
    await sql`
      update delivery.deliveries set sending_started_at = now() - interval '10 minutes'
      where workspace_id = ${tenant.workspaceId}`;
    return chat;
  }

  it("takes leases back and tells a chat of it, once, when there is something to tell", async () => {
    const chat = await stand.aChat("telegram");
    await aTarget("telegram", { chat_id: chat });
    expect((await watch(botToken)).way.at(-1)).toBe("Letters");
    await anAbandonedPost();
    await watch(botToken);
    const [row] = await stand.database.sql`
      select status, last_error ->> 'code' as code from delivery.deliveries where workspace_id = ${tenant.workspaceId}`;
    expect(row).toEqual({ status: "retry", code: "outcome_unknown" });
    await watch(botToken);
    const told = await stand.messages("telegram", chat);
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toBe(
      [
        "Молва, Испытание: нужно внимание",
        "",
        "• Прерванные отправки, возвращённые в работу: 1",
        "    Канал, outcome_unknown",
        "",
        "Сейчас ждут 1, отправляются 0, мертвы 0, каналов на паузе 0.",
      ].join("\n"),
    );
  });

  it("tells again what a chat did not hear, and leaves other targets to Molva's monitor", async () => {
    const chat = await stand.aChat("telegram");
    await aTarget("telegram", { chat_id: chat });
    await aTarget("webhook", { url: "https://alerts.example/hook" });
    await anAbandonedPost();
    await stand.fault({ chat }, { kind: "status", status: 502 });
    const sends = () => stand.database.sql`
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
    expect(await stand.messages("telegram", chat)).toHaveLength(1);
  });
});
