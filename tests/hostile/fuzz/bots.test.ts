import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aWorkspace } from "../../../src/delivery/testing/builders.ts";
import { createTelegramBot, type TelegramBotDeps, telegramWebhooks } from "../../../src/dialogs/index.ts";
import { secretOf } from "../../../src/dialogs/telegram/subscription.ts";
import { webhookPath } from "../../../src/dialogs/telegram/webhook.ts";
import { menu, parcel, survey } from "../../../src/dialogs/testing/parcel.ts";
import { startTestHttpServer, type TestHttpServer } from "../../../src/http/testing/http-server.ts";
import { systemClock } from "../../../src/kernel/clock/index.ts";
import { createKeyValue, type KeyValue } from "../../../src/kernel/kv/index.ts";
import { silentLog } from "../../../src/kernel/log/index.ts";
import { createProviderClient } from "../../../src/kernel/outbound/index.ts";
import { type ShopHarness, startShopHarness } from "../../../src/shopbot/testing/harness.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { type AdvisorHarness, advisorHarness } from "../../support/advisor.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { aTelegramPerson, type TelegramPerson } from "../../support/telegram-person.ts";
import { eventually } from "../../support/until.ts";
import { holds, hostileJson, hostileText, numRuns, spoiledWithin } from "./arbitraries.ts";

/** Routes protected only by a secret, called with it: a messenger may send anything, and so may people. */
let twins: RunningTwins;
beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
});
afterAll(() => twins.close());

/** Accepted or refused, the answer is well-formed. */
async function answersForItself(answer: Response): Promise<void> {
  const text = await answer.text();
  expect(answer.status, text.slice(0, 300)).toBeLessThan(500);
  // The secret was right: what is refused is the update.
  expect([401, 403]).not.toContain(answer.status);
}

describe("the shop bot's webhook", () => {
  let shop: ShopHarness;
  beforeAll(async () => {
    shop = await startShopHarness(await testDatabase(), { twinsUrl: twins.url });
  });
  afterAll(() => shop.stop());

  const person = { user_id: 42, first_name: "Ирина", is_bot: false };
  const message = (chatId: number, text: string) => ({
    sender: person,
    recipient: { chat_id: chatId, chat_type: "dialog" },
    timestamp: 1_794_700_000_000,
    body: { mid: randomUUID(), seq: 1, text, attachments: [] },
  });
  const said = {
    update_type: "message_created",
    timestamp: 1_794_700_000_000,
    message: message(-5, "доставка"),
  };
  const pressed = (payload: string) => ({
    update_type: "message_callback",
    timestamp: 1_794_700_000_000,
    callback: { timestamp: 1_794_700_000_000, callback_id: randomUUID(), payload, user: person },
    message: message(-5, "?"),
  });

  it("takes or refuses any update, and any data of a tapped button, and goes on answering", async () => {
    const update = fc.oneof(
      spoiledWithin(said),
      spoiledWithin(pressed("rule:payment")),
      hostileText.map(pressed),
      hostileText.map((text) => ({ ...said, message: message(-5, text) })),
      hostileJson,
    );
    await holds(fc.asyncProperty(update, async (value) => answersForItself(await shop.deliver(value))));
    const chatId = await shop.open();
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.length === 1,
    );
  });
});

describe("the webhook of a conversing bot", () => {
  let database: TestDatabase;
  let server: TestHttpServer;
  let keyValue: KeyValue;
  let bot: ReturnType<typeof createTelegramBot>;
  let person: TelegramPerson;
  let deliver: (body: unknown) => Promise<Response>;
  const http = createProviderClient();

  beforeAll(async () => {
    database = await testDatabase();
    const { sql } = database;
    keyValue = await createKeyValue({ sql, log: silentLog });
    person = await aTelegramPerson(twins.url);
    const key = { workspaceId: await aWorkspace(sql), bot: "parcels" };
    await sql`
      insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
      values (${key.workspaceId}, ${key.bot}, 'telegram', 'env:PARCELS')`;
    const deps: TelegramBotDeps = {
      ...{ sql, http, keyValue, clock: systemClock, log: silentLog },
      apiRoot: `${twins.url}/telegram`,
      token: async () => person.token,
      webhooksAt: () => undefined,
      lookEveryMs: 200,
    };
    const services = { order: async () => ({ number: "17" }), left: [] };
    bot = createTelegramBot({ name: key.bot, flows: [menu, parcel, survey], services, commands: [] }, deps);
    await bot.start();
    server = await startTestHttpServer({
      sql,
      clock: systemClock,
      modules: [telegramWebhooks([{ bot: key.bot }], deps)],
    });
    const headers = { "x-telegram-bot-api-secret-token": secretOf(person.token, key) };
    deliver = (body) => server.call(webhookPath(key), { body, headers });
  });
  afterAll(async () => {
    await bot.stop();
    await server.stop();
    await keyValue.close();
    await http.close();
    await database.drop();
  });

  const from = { id: 7, is_bot: false, first_name: "Ирина", language_code: "ru" };
  const message = {
    message_id: 2,
    date: 1_794_700_000,
    chat: { id: 7, type: "private" },
    from,
    text: "/parcel",
  };
  const pressed = (data: string) => ({
    update_id: 2,
    callback_query: { id: "1", from, chat_instance: "1", message, data },
  });

  it("takes or refuses any update, and any data of a tapped button, and goes on talking", async () => {
    const update = fc.oneof(
      spoiledWithin({ update_id: 1, message }),
      spoiledWithin(pressed("1:small")),
      hostileText.map(pressed),
      hostileText.map((text) => ({ update_id: 3, message: { ...message, text } })),
    );
    let updateId = 10;
    await holds(
      fc.asyncProperty(update, async (value) => {
        updateId += 1;
        const numbered = Object(value);
        if (Number.isSafeInteger(numbered.update_id)) numbered.update_id = updateId;
        await answersForItself(await deliver(numbered));
      }),
    );
    await person.say("/parcel");
    await person.see("Какого размера посылка?");
  });
});

describe("an upload", () => {
  let harness: AdvisorHarness;
  beforeAll(async () => {
    harness = await advisorHarness();
  });
  afterAll(() => harness.close());

  it("of any bytes under any type is taken or refused, and what is no picture is not kept", async () => {
    const user = { telegram_user_id: await harness.person("pro") };
    const file = fc.tuple(
      fc.oneof(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        hostileText.map((text) => Buffer.from(`x${text}`)),
      ),
      fc.oneof(
        fc.constantFrom(
          "image/png",
          "image/jpeg",
          "audio/ogg",
          "text/html",
          "image/svg+xml",
          "multipart/form-data",
        ),
        hostileText,
      ),
      fc.constantFrom(0, 1, -1),
    );
    await holds(
      fc.asyncProperty(file, async ([bytes, type, lie]) => {
        const announced = { user, type: "photo", mime: "image/png", size_bytes: bytes.length };
        const { body } = await harness.call("POST", "/v1/media/init", announced);
        const size = Math.max(0, bytes.length + lie);
        const sent = Buffer.concat([bytes, Buffer.alloc(1)]).subarray(0, size);
        const headers = { "content-type": /^[\x20-\x7e]*$/.test(type) ? type : "image/png" };
        const answer = await fetch(body.upload_url, { method: "PUT", headers, body: sent });
        expect(answer.status, await answer.text()).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
      }),
      Math.ceil(numRuns / 3),
    );
    const [kept] = await harness.database.sql`
      select count(*)::int from advisor.media_assets where uploaded_at is not null`;
    expect(kept?.count).toBe(0);
  });
});
