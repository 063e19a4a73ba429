import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiToken, type Scope } from "../../src/http/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { type N8nHarness, startN8nHarness, type Tenant } from "../support/n8n/harness.ts";

/** The adapter contract over HTTP, against a running Molva and the twins. */
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

type Platform = "telegram" | "max";

async function send(
  platform: string,
  body: unknown,
  authorization = tenant.authorization,
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const answer = await fetch(`${harness.url}/api/v1/adapters/${platform}/send`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

async function aChannelOf(platform: Platform, given = {}): Promise<{ chat: string; channel_id: string }> {
  const chat = await tenant.aChannel(platform, given);
  const [row] = await harness.database.sql`
    select channel_id from delivery.channels where workspace_id = ${tenant.workspaceId} and target_id = ${chat}`;
  return { chat, channel_id: row?.channel_id };
}

const eventsOf = async (channelId: string) =>
  harness.database.sql`
    select action, result, payload_ref, error, meta from workspaces.events where channel_id = ${channelId} order by ts, id`;

const photo = () => ({ type: "photo", url: `${harness.twinsUrl}/demo/lake.jpg` });

async function aToken(scopes: Scope[], workspaceId: string): Promise<string> {
  const { token } = await createApiToken(harness.database.sql, {
    ...{ name: "другой", scopes, workspaceId, createdBy: null, expiresAt: null, clock: systemClock },
  });
  return `Bearer ${token}`;
}

describe("a post to one channel", () => {
  // covers autoposting: Adapter contract
  it.each(["telegram", "max"] as const)(
    "is sent by %s, on record, and a repeat of its key sends nothing",
    async (platform) => {
      const { chat, channel_id } = await aChannelOf(platform);
      const body = {
        method: "sendText",
        channel: { channel_id },
        text: "<b>Срочно</b>",
        links: ["https://news.example/?a=1&b=2"],
        meta: { parse_mode: "HTML", trace_id: "t-1", idempotency_key: "key-1" },
      };
      const first = await send(platform, body);
      const again = await send(platform, body);
      const [message, ...more] = await harness.messages(platform, chat);
      expect(more).toEqual([]);
      expect(message?.text).toBe("Срочно\n\nhttps://news.example/?a=1&b=2");
      expect(first).toMatchObject({
        status: 200,
        body: { ok: true, outcome: "sent", provider_message_id: message?.id, raw: expect.anything() },
      });
      expect(again).toEqual(first);
      expect(await eventsOf(channel_id)).toMatchObject([
        {
          action: "send_attempt",
          result: "ok",
          meta: {
            idempotency_key: "key-1",
            trace_id: "t-1",
            operator: expect.stringMatching(/^token:[0-9a-f-]{36}$/),
          },
        },
        { action: "sent", result: "ok", meta: { provider_message_id: message?.id } },
      ]);
      const other = await send(platform, { ...body, text: "Другое" });
      expect(other).toMatchObject({ status: 409, body: { code: "conflict" } });
    },
  );

  it.each(["telegram", "max"] as const)(
    "that %s refuses in words that no database takes is answered and on record without them",
    async (platform) => {
      const { chat, channel_id } = await aChannelOf(platform);
      const description = "odd \u0000words \ud83d";
      await harness.fault({ chat }, { kind: "status", status: 400, description });
      const body = { method: "sendText", channel: { channel_id }, text: "Срочно" };
      const answer = await send(platform, body);
      const error = { category: "PERMANENT", message: expect.stringContaining("odd words \ufffd") };
      expect(answer).toMatchObject({ status: 200, body: { ok: false, outcome: "failed", error } });
      expect((await eventsOf(channel_id)).at(-1)).toMatchObject({ action: "failed_permanent", error });
    },
  );

  // covers autoposting: Adapter contract
  it.each(["telegram", "max"] as const)("with several media goes to %s in their order", async (platform) => {
    const { chat, channel_id } = await aChannelOf(platform);
    const media = [photo(), { ...photo(), url: `${harness.twinsUrl}/demo/camp.jpg` }];
    const { body } = await send(platform, {
      method: "sendMedia",
      channel: { channel_id },
      text: "Два вида",
      media,
    });
    expect(body).toMatchObject({ ok: true });
    const shown = await harness.messages(platform, chat);
    expect(shown.flatMap((each) => each.media)).toHaveLength(2);
  });

  // covers autoposting: Adapter contract
  it("that the messenger refuses is the document's error with its raw answer, kept apart for the event", async () => {
    const { chat, channel_id } = await aChannelOf("max");
    await harness.fault({ chat }, { kind: "status", status: 403 });
    const { status, body } = await send("max", {
      method: "sendText",
      channel: { channel_id },
      text: "Новость",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: false,
      outcome: "failed",
      error: {
        category: "PERMANENT",
        scope: "channel",
        code: "channel_unavailable",
        message: expect.any(String),
        raw: expect.objectContaining({ status: 403 }),
        payload_ref: expect.any(String),
      },
    });
    const [, ended] = await eventsOf(channel_id);
    expect(ended).toMatchObject({
      action: "failed_permanent",
      result: "error",
      payload_ref: body.error.payload_ref,
      error: { code: "channel_unavailable" },
    });
    expect(ended?.error).not.toHaveProperty("raw");
  });

  it("waits with its whole group as long as a 429 asks", async () => {
    const { chat, channel_id } = await aChannelOf("telegram");
    await harness.fault({ chat }, { kind: "status", status: 429, retryAfter: 60 });
    const body = { method: "sendText", channel: { channel_id }, text: "Новость" };
    expect((await send("telegram", body)).body.error).toMatchObject({
      category: "TRANSIENT",
      scope: "platform",
      code: "rate_limited",
      retry_after_ms: 60_000,
    });
    const next = (await send("telegram", body)).body.error;
    expect(next).toMatchObject({ category: "TRANSIENT", scope: "platform", code: "group_cooldown" });
    expect(next.retry_after_ms).toBeGreaterThan(30_000);
    expect(await harness.messages("telegram", chat)).toEqual([]);
  });

  it("whose answer was lost is unknown, and found when its key comes again", async () => {
    const { chat, channel_id } = await aChannelOf("max");
    await harness.fault({ chat }, { kind: "drop_after" });
    const body = {
      method: "sendText",
      channel: { channel_id },
      text: "Дошло?",
      meta: { idempotency_key: "k" },
    };
    expect((await send("max", body)).body).toMatchObject({ ok: false, outcome: "unknown" });
    const [message, ...more] = await harness.messages("max", chat);
    expect((await send("max", body)).body).toMatchObject({
      ok: true,
      reconciled: "found",
      provider_message_id: message?.id,
    });
    expect([more, await harness.messages("max", chat)]).toEqual([[], [message]]);
  });

  it("does not go to a channel that is paused or switched off, and the messenger hears nothing", async () => {
    const { chat, channel_id } = await aChannelOf("telegram");
    const body = { method: "sendText", channel: { channel_id }, text: "Новость" };
    await harness.database.sql`
      update delivery.channels set paused_until = now() + interval '1 hour' where channel_id = ${channel_id}`;
    expect((await send("telegram", body)).body.error).toMatchObject({
      category: "TRANSIENT",
      code: "channel_paused",
    });
    await harness.database.sql`update delivery.channels set enabled = false where channel_id = ${channel_id}`;
    expect((await send("telegram", body)).body.error).toMatchObject({
      category: "PERMANENT",
      code: "channel_disabled",
    });
    expect(await harness.messages("telegram", chat)).toEqual([]);
  });

  it("that the channel cannot carry is refused before anything is sent", async () => {
    const { channel_id } = await aChannelOf("telegram");
    const { body } = await send("telegram", {
      method: "sendText",
      channel: { channel_id },
      text: "а".repeat(5_000),
    });
    expect(body.error).toMatchObject({ category: "PERMANENT", scope: "delivery", code: "validation_failed" });
    expect((await eventsOf(channel_id)).map(({ action }) => action)).toEqual(["validation_failed"]);
  });
});

it("only a caller with the scope, of the channel's own workspace, sends anything", async () => {
  const { chat, channel_id } = await aChannelOf("telegram");
  const body = { method: "sendText", channel: { channel_id }, text: "Новость" };
  const mine = tenant;
  expect(
    (await send("telegram", body, await aToken(["read", "operate", "admin"], mine.workspaceId))).status,
  ).toBe(403);
  const stranger = await harness.aTenant();
  expect((await send("telegram", body, stranger.authorization)).status).toBe(404);
  expect((await send("max", body, mine.authorization)).status).toBe(404);
  expect((await send("pigeon", body, mine.authorization)).status).toBe(400);
  expect((await send("telegram", { ...body, auth_ref: "x" }, mine.authorization)).status).toBe(400);
  expect((await send("telegram", { ...body, text: "" }, mine.authorization)).status).toBe(400);
  expect(await harness.messages("telegram", chat)).toEqual([]);
});

describe("a started delivery", () => {
  async function aStarted(payload: Record<string, unknown>) {
    const { sql } = harness.database;
    const id = await tenant.post(payload);
    await sql`select delivery.claim_deliveries(${tenant.workspaceId}, 'mine', 10)`;
    const [started] = await sql`
      select delivery_id, claim_token from delivery.start_sending(${tenant.workspaceId}, 'mine', 10)`;
    return { id, delivery: { delivery_id: started?.delivery_id, claim_token: started?.claim_token } };
  }

  it("is sent once for its claim token, and settled by its caller with the adapter's words", async () => {
    const chat = await tenant.aChannel("telegram");
    const { id, delivery } = await aStarted({ text: "Альбом", media: [photo(), photo()] });
    const first = await send("telegram", { delivery });
    expect(await send("telegram", { delivery })).toEqual(first);
    expect(await harness.messages("telegram", chat)).toHaveLength(2);
    const { provider_message_id, url, raw } = first.body;
    await harness.database.sql`
      select delivery.mark_sent(${tenant.workspaceId}, ${delivery.delivery_id}, ${delivery.claim_token},
        ${provider_message_id}, now(), ${harness.database.sql.json({ url, raw })})`;
    expect((await tenant.deliveries(id))[chat]).toMatchObject({ status: "sent", provider_message_id });
    expect(await send("telegram", { delivery })).toMatchObject({ status: 409 });
  });

  it("in doubt does not take a post that was sent at once for its own", async () => {
    const { chat, channel_id } = await aChannelOf("max");
    const { delivery } = await aStarted({ text: "Одинаково" });
    await harness.fault({ chat }, { kind: "drop_before" });
    expect((await send("max", { delivery })).body).toMatchObject({ outcome: "unknown" });
    await send("max", { method: "sendText", channel: { channel_id }, text: "Одинаково" });
    const { sql } = harness.database;
    const { workspaceId } = tenant;
    await sql`
      select delivery.mark_unknown(${workspaceId}, ${delivery.delivery_id}, ${sql.json({ code: "x", message: "" })})`;
    await sql`update delivery.deliveries set next_retry_at = now() where workspace_id = ${workspaceId}`;
    await sql`select delivery.claim_deliveries(${workspaceId}, 'mine', 10)`;
    const [started] = await sql`select claim_token from delivery.start_sending(${workspaceId}, 'mine', 10)`;
    const again = { ...delivery, claim_token: started?.claim_token };
    expect((await send("max", { delivery: again })).body).toMatchObject({ ok: true, reconciled: "absent" });
    expect(await harness.messages("max", chat)).toHaveLength(2);
  });

  it("of somebody else, or for another messenger, is refused", async () => {
    await tenant.aChannel("telegram");
    const { delivery } = await aStarted({ text: "Новость" });
    expect((await send("max", { delivery })).status).toBe(409);
    expect((await send("telegram", { delivery: { ...delivery, claim_token: "guess" } })).status).toBe(409);
    expect((await send("telegram", { delivery: { ...delivery, delivery_id: randomUUID() } })).status).toBe(
      409,
    );
    const stranger = await harness.aTenant();
    expect((await send("telegram", { delivery }, stranger.authorization)).status).toBe(409);
  });
});
