import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../tests/support/seo-bot.ts";
import { until } from "../../../tests/support/until.ts";

const token = `7000000077:${"W".repeat(35)}`;
const secret = "a-secret_of-letters-1";
const chat = 77_001;

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({
    business: false,
    environment: {
      ...{ TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_SECRET: secret },
      MOLVA_PUBLIC_URL: "https://seo.example.com",
    },
  });
  await harness.control("POST", "/telegram/bots", { token, username: "own_seo_bot", first_name: "SEO" });
  await harness.control("POST", "/telegram/chats", {
    ...{ id: chat, type: "private", first_name: "Ольга", members: [{ bot: "own_seo_bot" }] },
  });
});
afterAll(() => harness.close());

let updates = 0;
const update = (text: string) => ({
  update_id: ++updates,
  message: {
    ...{ message_id: updates, date: 1, chat: { id: chat, type: "private" }, text },
    from: { id: chat, is_bot: false, first_name: "Ольга", language_code: "ru" },
  },
});

const send = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${harness.running.system.url()}/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
const withSecret = { "x-telegram-bot-api-secret-token": secret };

const texts = async () =>
  (
    await harness.control<{ messages: { text: string }[] }>("GET", `/chats/telegram/${chat}/messages`)
  ).messages.map(({ text }) => text);

describe("the webhook of the token that the installation was given", () => {
  it("is set at Telegram with the secret and the updates of the document", async () => {
    const info = await until("the webhook is set", async () => {
      const answer = await fetch(`${harness.running.twinsUrl}/telegram/bot${token}/getWebhookInfo`);
      const { result } = JSON.parse(await answer.text());
      return result?.url ? result : undefined;
    });
    expect(info).toMatchObject({
      url: "https://seo.example.com/webhook",
      allowed_updates: ["message", "callback_query", "pre_checkout_query", "my_chat_member"],
    });
  });

  it("serves the workspace that has the token", async () => {
    expect((await send(update("/start"), withSecret)).status).toBe(200);
    await until("the bot answers", async () =>
      (await texts()).some((text) => text.includes("У вас пока нет проектов")),
    );
    const [user] = await harness.sql`select workspace_id from seo.users where id = ${chat}`;
    expect(user).toEqual({ workspace_id: harness.workspaceId });
  });

  it("takes an update that comes twice once", async () => {
    const again = update("/help");
    expect((await send(again, withSecret)).status).toBe(200);
    expect((await send(again, withSecret)).status).toBe(200);
    const rows =
      await harness.sql`select from dialogs.inbox where chat_id = ${String(chat)} and update_id = ${again.update_id}`;
    expect(rows).toHaveLength(1);
  });

  it("refuses what is no update, and a body beyond any message", async () => {
    expect((await send({ hello: 1 }, withSecret)).status).toBe(400);
    expect((await send(update("я".repeat(1_000_000)), withSecret)).status).toBe(413);
  });

  it("refuses everybody without the secret, and soon without looking", async () => {
    const before = await harness.sql`select from dialogs.inbox`;
    for (const headers of [
      {},
      { "x-telegram-bot-api-secret-token": "" },
      { "x-telegram-bot-api-secret-token": `${secret}x` },
    ])
      expect((await send(update("/start"), headers as Record<string, string>)).status).toBe(401);
    for (let guess = 3; guess < 100; guess++) await send(update("/start"));
    const late = await send(update("/start"));
    expect(late.status).toBe(429);
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await harness.sql`select from dialogs.inbox`).toHaveLength(before.length);
    expect((await send(update("/help"), withSecret)).status).toBe(200);
  });
});
