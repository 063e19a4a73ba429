import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import type { Surroundings } from "../../tests/support/n8n/visit.ts";
import { runWorkflow } from "../../tests/support/n8n/walk.ts";
import { readWorkflow } from "../../tests/support/n8n/workflow.ts";
import { type RunningTwins, startTwins } from "../../twins/index.ts";
import { type ShopHarness, startShopHarness } from "./testing/harness.ts";

/** The exports for n8n, walked through against a real server. */
let twins: RunningTwins;
let shop: ShopHarness;
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
  shop = await startShopHarness(await testDatabase(), { twinsUrl: twins.url });
  await new Promise<void>((resolve) => {
    people.listen(0, "127.0.0.1", resolve);
  });
  const address = people.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  around = {
    env: { MOLVA_URL: shop.server.url(), BOT_ALERT_URL: `http://127.0.0.1:${address.port}` },
    credentials: {
      "molva-api": {
        name: "Authorization",
        value: (await shop.server.bearer(["read", "operate", "people"], shop.workspaceId)).authorization,
      },
      "molva-hooks": { name: "X-Molva-Hook", value: "hook-secret" },
      "molva-bot-endpoint": { name: "X-Molva-Secret", value: shop.secret },
    },
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

const ingest = readWorkflow("11_bot_ingest");
const engine = readWorkflow("12_bot_engine");
const monitor = readWorkflow("13_bot_monitor");

// covers shopbot: Workflows of n8n
it("11_bot_ingest hands an update of MAX over with its secret, and has the engine answer what is new", async () => {
  const chat_id = await aChat();
  const body = { provider: "max", chat_id, provider_message_id: "m-1", text: "доставка", trace_id: "t" };
  const input = { headers: { "x-max-bot-api-secret": shop.secret }, body };
  const first = await runWorkflow(ingest, "Hook", input, around);
  expect(first.answer).toMatchObject({ status: 200, body: { ok: true, duplicate: false, trace_id: "t" } });
  expect(first.way.at(-1)).toBe("12_bot_engine");
  const [shown] = (await shop.messages(chat_id)).filter(({ author }) => author.bot);
  expect(first.output).toMatchObject({ status: 200, body: { ok: true, provider_message_id: shown?.id } });
  const again = await runWorkflow(ingest, "Hook", input, around);
  expect(again.answer).toMatchObject({ status: 200, body: { duplicate: true } });
  expect(again.way.at(-1)).toBe("For the engine?");
  const bearer = { headers: { authorization: `Bearer ${shop.secret}` }, body };
  expect((await runWorkflow(ingest, "Hook", bearer, around)).answer?.status).toBe(200);
});

// covers shopbot: Workflows of n8n
it("11_bot_ingest adds no secret of its own: a request without one, or with a guess, is refused in Molva's words", async () => {
  const body = { provider: "max", chat_id: await aChat(), provider_message_id: "m-1", text: "доставка" };
  const told = async (headers: Record<string, string>) =>
    (await runWorkflow(ingest, "Hook", { headers, body }, around)).answer;
  expect(await told({})).toMatchObject({ status: 401, body: { code: "missing_endpoint_secret" } });
  expect(await told({ "x-max-bot-api-secret": "guess" })).toMatchObject({
    status: 403,
    body: { code: "endpoint_auth_failed" },
  });
  const away = { ...around, env: { MOLVA_URL: "http://127.0.0.1:9" } };
  expect((await runWorkflow(ingest, "Hook", { headers: {}, body }, away)).answer).toMatchObject({
    status: 503,
    body: { code: "molva_unreachable" },
  });
});

const asked = (body: Record<string, unknown>) => ({ headers: { "x-molva-secret": shop.secret }, body });

// covers shopbot: Workflows of n8n
it("12_bot_engine gives the answer when it has arrived, and says so when it was given before", async () => {
  const chat_id = await aChat();
  const body = { chat_id, provider_message_id: "m-1", text: "доставка", trace_id: "t" };
  const first = await runWorkflow(engine, "Hook", asked(body), around);
  const [shown] = (await shop.messages(chat_id)).filter(({ author }) => author.bot);
  expect(first.answer).toMatchObject({
    status: 200,
    body: {
      ok: true,
      duplicate: false,
      chat_id,
      inbound_provider_message_id: "m-1",
      response_text: expect.stringContaining("Курьером по Москве"),
      provider_message_id: shown?.id,
    },
  });
  const again = await runWorkflow(engine, "Hook", asked(body), around);
  expect(again.answer).toMatchObject({ status: 200, body: { ok: true, duplicate: true } });
  expect(await shop.said(chat_id)).toHaveLength(1);
});

// covers shopbot: Workflows of n8n
it("12_bot_engine makes the bot write to nobody for who does not know the endpoint's secret", async () => {
  const chat_id = await aChat();
  for (const headers of [{}, { "x-molva-secret": "guess" }]) {
    const { answer, way } = await runWorkflow(
      engine,
      "Hook",
      { headers, body: { chat_id, text: "доставка" } },
      around,
    );
    expect([answer?.status, way]).toEqual([403, ["Hook"]]);
  }
  expect(await shop.said(chat_id)).toEqual([]);
});

// covers shopbot: Workflows of n8n
it("13_bot_monitor tells people when there is something to tell, once within the cooldown, and again what was lost", async () => {
  const watch = (env = around.env) => runWorkflow(monitor, "Watch once", called, { ...around, env });
  const called = { headers: { "x-molva-hook": "hook-secret" }, body: {} };
  expect((await runWorkflow(monitor, "Watch once", { headers: {}, body: {} }, around)).answer?.status).toBe(
    403,
  );
  const calm = await runWorkflow(monitor, "Every 5 minutes", {}, around);
  expect([calm.output, told]).toMatchObject([{ notification: { reason: "no_alerts" } }, []]);
  await shop.sql`
    insert into shopbot.bot_logs (workspace_id, chat_id, inbound_provider_message_id, action, result, outcome, message_text,
      state_before, state_after)
    select ${shop.workspaceId}, '1', 'x' || n, 'bot_engine_processed', 'error', 'failed', '?', 'default', 'default'
    from generate_series(1, 11) n`;
  const lost = await watch({ ...around.env, BOT_ALERT_URL: "http://127.0.0.1:9" });
  expect(lost.answer).toMatchObject({
    status: 200,
    body: { ok: false, notification: { reason: "delivery_failed" } },
  });
  expect((await watch()).output).toMatchObject({ ok: true, notification: { delivered: true, reason: null } });
  expect(told).toMatchObject([{ alerts: expect.arrayContaining(["bot_error_spike"]), error_logs: 11 }]);
  expect((await watch()).output).toMatchObject({ ok: true, notification: { reason: "cooldown_active" } });
  expect(told).toHaveLength(1);
});

// covers shopbot: Workflows of n8n
it("12_bot_engine waits no longer than it said, and answers 504 with the reason when nobody plays the role bots", async () => {
  const chat_id = await aChat();
  // The last test: nobody starts it again.
  await shop.bot.stop();
  const impatient = {
    ...engine,
    nodes: engine.nodes.map((node) =>
      node.name === "Wait for the answer"
        ? {
            ...node,
            parameters: { ...node.parameters, url: String(node.parameters.url).replace("=20", "=0.2") },
          }
        : node,
    ),
  };
  const { answer } = await runWorkflow(
    impatient,
    "Hook",
    asked({ chat_id, provider_message_id: "m-1", text: "доставка" }),
    around,
  );
  expect(answer).toMatchObject({
    status: 504,
    body: { ok: false, code: "bot_answer_pending", detail: expect.stringContaining("`bots`") },
  });
});
