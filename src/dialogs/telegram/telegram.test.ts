import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aTelegramPerson, type TelegramPerson } from "../../../tests/support/telegram-person.ts";
import { until } from "../../../tests/support/until.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { createKeyValue, type KeyValue } from "../../kernel/kv/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { menu, parcel, survey } from "../testing/parcel.ts";
import { createTelegramBot, type TelegramBotDeps } from "./bot.ts";
import { secretOf } from "./subscription.ts";
import { readTelegramUpdate } from "./update.ts";
import { telegramWebhooks, webhookPath } from "./webhook.ts";

let database: TestDatabase;
let twins: RunningTwins;
let keyValue: KeyValue;
const http = createProviderClient();
beforeAll(async () => {
  database = await testDatabase();
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  keyValue = await createKeyValue({ sql: database.sql, redisUrl: undefined, log: silentLog });
});
afterAll(async () => {
  await keyValue.close();
  await http.close();
  await twins.close();
  await database.drop();
});

/** A bot with a name of its own, a workspace with its credential, and a person who opened it. */
async function aHarness() {
  const name = `parcels-${randomUUID().slice(0, 8)}`;
  const { sql } = database;
  const workspaceId = await aWorkspace(sql);
  const person = await aTelegramPerson(twins.url);
  const tokens = new Map([["env:PARCELS", person.token]]);
  await sql`
    insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
    values (${workspaceId}, ${name}, 'telegram', 'env:PARCELS')`;
  const deps: TelegramBotDeps = {
    ...{ sql, http, keyValue, clock: systemClock, log: silentLog },
    apiRoot: `${twins.url}/telegram`,
    token: async (_, ref) => tokens.get(ref),
    webhooksAt: () => undefined,
    lookEveryMs: 200,
  };
  const commands = [{ command: "parcel", ru: "Отправить посылку", en: "Send a parcel" }];
  const services = { order: async () => ({ number: "17" }), left: [] };
  const aBot = (given: Partial<TelegramBotDeps> = {}) =>
    createTelegramBot({ name, flows: [menu, parcel, survey], services, commands }, { ...deps, ...given });
  return { name, workspaceId, person, tokens, deps, aBot, key: { workspaceId, bot: name } };
}

async function whileRunning(service: ReturnType<typeof createTelegramBot>, work: () => Promise<void>) {
  await service.start();
  try {
    await work();
  } finally {
    await service.stop();
  }
}

async function order(person: TelegramPerson): Promise<void> {
  await person.say("/parcel");
  await person.see("Какого размера посылка?");
  await person.press("Малая");
  await person.see("Что добавить?");
  await person.press("box");
  await person.see("Что добавить? box");
  await person.press("Готово");
  await person.see("Сколько весит?");
  await person.say("6 кг");
  await person.see("Куда везти?");
}

describe("a bot that asks for updates", () => {
  it("leads a person through a flow, in a message that is edited", async () => {
    const { person, aBot } = await aHarness();
    await whileRunning(aBot(), async () => {
      await order(person);
      expect((await person.messages()).map(({ text }) => text)).not.toContain("Какого размера посылка?");
      await person.say("Москва, Тверская 1");
      await person.see("Код домофона?");
      await person.say("77К");
      await person.see("Пришлите фото или голос.");
      expect((await person.messages()).map(({ text }) => text)).not.toContain("77К");
      await person.say("/cancel");
      await person.see("Посылка отменена.");
      await until("the menu of commands", async () => (await person.calls("setMyCommands")).length === 2);
    });
  });

  it("takes a webhook away that somebody left", async () => {
    const { person, aBot } = await aHarness();
    await fetch(`${twins.url}/telegram/bot${person.token}/setWebhook?url=http://127.0.0.1:1/`);
    await whileRunning(aBot(), async () => {
      await person.say("/parcel");
      await person.see("Какого размера посылка?");
    });
  });

  it("asks from one process only, and from the other when that one stops", async () => {
    const { person, aBot } = await aHarness();
    const first = aBot();
    await first.start();
    await whileRunning(aBot(), async () => {
      await person.say("/parcel");
      await person.see("Какого размера посылка?");
      await first.stop();
      await person.press("Малая");
      await person.see("Что добавить?");
      expect((await person.calls("getUpdates")).map(({ status }) => status)).not.toContain(409);
    });
  });

  it("speaks with the token that its workspace has now, and no more when it has none", async () => {
    const { person, aBot, tokens, name } = await aHarness();
    tokens.set("env:PARCELS", `1:${"Z".repeat(35)}`);
    await whileRunning(aBot(), async () => {
      await person.say("/parcel");
      tokens.set("env:PARCELS", person.token);
      await person.see("Какого размера посылка?");
      await database.sql`delete from workspaces.credential_bindings where auth_ref = ${name}`;
      await until("the bot to stop asking", async () => {
        const before = (await person.calls("getUpdates")).length;
        await person.control("GET", "/faults");
        return (await person.calls("getUpdates")).length === before;
      });
    });
  });
});

describe("a bot with a webhook", () => {
  let server: TestHttpServer;
  const serve = async (harness: Awaited<ReturnType<typeof aHarness>>) => {
    server = await startTestHttpServer({
      sql: database.sql,
      modules: [telegramWebhooks([{ bot: harness.name }], harness.deps)],
    });
    return harness.aBot({ webhooksAt: () => server.url() });
  };

  it("has Telegram bring updates, takes each once, and subscribes again when somebody else did", async () => {
    const harness = await aHarness();
    const { person } = harness;
    const bot = await serve(harness);
    await whileRunning(bot, async () => {
      await person.send({ text: "/parcel", copies: 2 });
      await person.see("Какого размера посылка?");
      await fetch(`${twins.url}/telegram/bot${person.token}/setWebhook?url=http://127.0.0.1:1/`);
      await person.press("Малая");
      await person.see("Что добавить?");
      const [row] = await database.sql`
        select revision from dialogs.dialogues where bot = ${harness.name} and chat_id = ${String(person.chatId)}`;
      expect(row?.revision).toBe(2);
    }).finally(() => server.stop());
  });

  it("takes nothing without the secret that Telegram was given", async () => {
    const harness = await aHarness();
    await serve(harness);
    const { key, person } = harness;
    const post = (body: unknown, secret?: string, to = key) =>
      server.call(webhookPath(to), {
        body,
        headers: secret === undefined ? {} : { "x-telegram-bot-api-secret-token": secret },
      });
    try {
      const secret = secretOf(person.token, key);
      const message = { message_id: 2, chat: { id: 5, type: "private" }, from: { id: 7 }, text: "hi" };
      expect((await post({ update_id: 1, message })).status).toBe(403);
      expect((await post({ update_id: 1, message }, "wrong")).status).toBe(403);
      const elsewhere = { ...key, workspaceId: await aWorkspace(database.sql) };
      expect((await post({ update_id: 1, message }, secret, elsewhere)).status).toBe(403);
      expect((await post({ update_id: 1, message }, secret, { ...key, workspaceId: "x" })).status).toBe(403);
      expect((await post({ message }, secret)).status).toBe(400);
      expect((await post({ update_id: 2, poll: {} }, secret)).status).toBe(200);
      expect((await post({ update_id: 1, message }, secret)).status).toBe(200);
      expect((await post({ update_id: 1, message }, secret)).status).toBe(200);
      const inbox = await database.sql`select body from dialogs.inbox where bot = ${key.bot}`;
      expect(inbox).toMatchObject([{ body: { id: 1, kind: "text", text: "hi", language: "ru" } }]);
      // Anybody who knows the demo's token can compute its secret.
      const published = `7000000003:${"H".repeat(35)}`;
      harness.tokens.set("env:PARCELS", published);
      expect((await post({ update_id: 3, message }, secretOf(published, key))).status).toBe(403);
    } finally {
      await server.stop();
    }
  });
});

it("a bot whose flows cannot run is refused when the server starts", async () => {
  const { deps } = await aHarness();
  const services = { order: async () => ({ number: "17" }), left: [] };
  expect(() => createTelegramBot({ name: "broken", flows: [parcel], services }, deps)).toThrow(
    "leads to the unknown flow Menu",
  );
});

it("reads commands with the bot's name, the largest photo, taps, edits, and keeps out of groups", () => {
  const chat = { id: 5, type: "private" };
  const from = { id: 7, language_code: "de" };
  const read = (message: object) =>
    readTelegramUpdate({ update_id: 1, message: { message_id: 2, chat, from, ...message } });
  expect(read({ text: "/Start@shop_bot gift_1" })).toMatchObject({
    kind: "command",
    command: "start",
    argument: "gift_1",
    language: "en",
  });
  expect(read({ photo: [{ file_id: "s" }, { file_id: "l" }], caption: "c" })).toMatchObject({
    media: { kind: "photo", fileId: "l", caption: "c" },
  });
  expect(read({ contact: {} })).toMatchObject({ media: { kind: "other" } });
  expect(read({ text: "hi", chat: { id: -5, type: "group" } })).toBeUndefined();
  expect(
    readTelegramUpdate({ update_id: 1, edited_message: { message_id: 2, chat, from, text: "x" } }),
  ).toMatchObject({ kind: "edited" });
  expect(readTelegramUpdate("nonsense")).toBeUndefined();
});
