import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import type { Surroundings } from "../../tests/support/n8n/visit.ts";
import { runWorkflow } from "../../tests/support/n8n/walk.ts";
import { readWorkflow } from "../../tests/support/n8n/workflow.ts";
import { type RunningTwins, startTwins } from "../../twins/index.ts";
import { type ShopStand, startShopStand } from "./testing/stand.ts";

/** The exports for n8n, walked through against a real server. */
let twins: RunningTwins;
let shop: ShopStand;
let around: Surroundings;
const told: unknown[] = [];
const people = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  told.push(JSON.parse(Buffer.concat(parts).toString("utf8")));
  response.end("{}");
});

beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  shop = await startShopStand(await testDatabase(), { twinsUrl: twins.url });
  await new Promise<void>((resolve) => {
    people.listen(0, "127.0.0.1", resolve);
  });
  const address = people.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  around = {
    env: {
      MOLVA_URL: shop.server.url(),
      MOLVA_BOT_SECRET: shop.secret,
      BOT_ALERT_URL: `http://127.0.0.1:${address.port}`,
    },
    authorization: (await shop.server.bearer(["read", "people"], shop.workspaceId)).authorization,
  };
});
afterAll(async () => {
  people.close();
  await shop.stop();
  await twins.close();
});

async function aChat(): Promise<string> {
  const chat = { type: "dialog", user: { first_name: "Ирина" }, members: [{ bot: shop.botName }] };
  return String((await shop.control("POST", "/max/chats", chat)).chat_id);
}

it("11_bot_ingest hands an update of MAX over with its secret, and a repeat is a duplicate", async () => {
  const chat_id = await aChat();
  const body = { provider: "max", chat_id, provider_message_id: "m-1", text: "доставка", trace_id: "t" };
  const input = { headers: { "x-max-bot-api-secret": shop.secret }, body };
  const ingest = readWorkflow("11_bot_ingest");
  expect((await runWorkflow(ingest, "Hook", input, around)).output).toEqual({
    ok: true,
    duplicate: false,
    trace_id: "t",
  });
  expect((await runWorkflow(ingest, "Hook", input, around)).output).toMatchObject({ duplicate: true });
  const strange = { ...input, headers: { "x-max-bot-api-secret": "guess" } };
  expect((await runWorkflow(ingest, "Hook", strange, around)).output).toMatchObject({
    code: "endpoint_auth_failed",
  });
});

it("12_bot_engine gives the answer when it has arrived, and says so when it was given before", async () => {
  const chat_id = await aChat();
  const body = { chat_id, provider_message_id: "m-1", text: "доставка", trace_id: "t" };
  const engine = readWorkflow("12_bot_engine");
  const first = await runWorkflow(engine, "Hook", { headers: {}, body }, around);
  const [shown] = (await shop.messages(chat_id)).filter(({ author }) => author.bot);
  expect(first.output).toEqual({
    ok: true,
    duplicate: false,
    chat_id,
    inbound_provider_message_id: "m-1",
    response_text: expect.stringContaining("Курьером по Москве"),
    provider_message_id: shown?.id,
  });
  const again = await runWorkflow(engine, "Hook", { headers: {}, body }, around);
  expect(again.output).toEqual({ ok: true, duplicate: true });
  expect(await shop.said(chat_id)).toHaveLength(1);
});

it("13_bot_monitor tells people when there is something to tell, and nobody otherwise", async () => {
  const monitor = readWorkflow("13_bot_monitor");
  const calm = await runWorkflow(monitor, "Every 5 minutes", {}, around);
  expect([calm.way.at(-1), told]).toEqual(["All is well", []]);
  await shop.sql`
    insert into shopbot.bot_logs (workspace_id, chat_id, inbound_provider_message_id, action, result, outcome, message_text,
      state_before, state_after)
    select ${shop.workspaceId}, '1', 'x' || n, 'bot_engine_processed', 'error', 'failed', '?', 'default', 'default'
    from generate_series(1, 11) n`;
  await runWorkflow(monitor, "Hook", {}, around);
  expect(told).toMatchObject([{ alerts: expect.arrayContaining(["bot_error_spike"]), error_logs: 11 }]);
});
