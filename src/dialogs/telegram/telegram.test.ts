import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { startTestHttpServer } from "../../http/testing/http-server.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { createDialogs } from "../engine/dialogs.ts";
import type { Update } from "../messenger.ts";
import { menu, parcel, survey } from "../testing/parcel.ts";
import { telegramApi } from "./client.ts";
import { createTelegramMessenger } from "./messenger.ts";
import { createTelegramPolling } from "./polling.ts";
import { readTelegramUpdate } from "./update.ts";
import { telegramWebhooks } from "./webhook.ts";

let database: TestDatabase;
let twins: RunningTwins;
const http = createProviderClient();
beforeAll(async () => {
  database = await testDatabase();
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
});
afterAll(async () => {
  await http.close();
  await twins.close();
  await database.drop();
});

interface Shown {
  readonly id: string;
  readonly text: string;
  readonly buttons: readonly (readonly { readonly text: string }[])[];
}

async function control(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${twins.url}/_control${path}`, {
    method,
    ...(body !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

it("a person orders a parcel in Telegram, in a message that is edited", async () => {
  const token = `2001:${"C".repeat(35)}`;
  const chatId = 501;
  await control("POST", "/telegram/bots", { token, username: "parcel_bot", first_name: "Посылки" });
  await control("POST", "/telegram/chats", {
    id: chatId,
    type: "private",
    first_name: "Ирина",
    members: [{ bot: "parcel_bot" }],
  });
  const api = telegramApi({ http, token: async () => token, apiRoot: `${twins.url}/telegram` });
  const dialogs = createDialogs({
    sql: database.sql,
    log: silentLog,
    key: { workspaceId: await aWorkspace(database.sql), bot: randomUUID() },
    flows: [menu, parcel, survey],
    messenger: createTelegramMessenger(api),
    services: { order: async () => ({ number: "17" }), left: [] },
  });
  const polling = createTelegramPolling({ api, log: silentLog, receive: dialogs.receive, holdSeconds: 1 });
  await dialogs.start();
  await polling.start();
  const shown = async (): Promise<Shown[]> =>
    (await control("GET", `/chats/telegram/${chatId}/messages?limit=100`)).messages;
  const say = (text: string) => control("POST", `/telegram/chats/${chatId}/say`, { text });
  const see = (text: string) =>
    expect
      .poll(async () => (await shown()).map((message) => message.text), { timeout: 15_000 })
      .toContain(text);
  async function press(label: string): Promise<void> {
    const message = (await shown()).findLast(({ buttons }) =>
      buttons.flat().some(({ text }) => text === label),
    );
    const row = message?.buttons.findIndex((each) => each.some(({ text }) => text === label)) ?? -1;
    const column = message?.buttons[row]?.findIndex(({ text }) => text === label);
    await control("POST", `/telegram/chats/${chatId}/press`, { message_id: message?.id, row, column });
  }
  try {
    await say("/parcel");
    await see("Какого размера посылка?");
    await press("Малая");
    await see("Что добавить?");
    await press("box");
    await see("Что добавить? box");
    await press("Готово");
    await see("Сколько весит?");
    await say("6 кг");
    await see("Куда везти?");
    await say("Москва, Тверская 1");
    await see("Код домофона?");
    await say("77К");
    await see("Пришлите фото или голос.");
    expect((await shown()).map(({ text }) => text)).not.toContain("Какого размера посылка?");
    await say("/cancel");
    await see("Посылка отменена.");
  } finally {
    await polling.stop();
    await dialogs.stop();
  }
});

it("reads commands with the bot's name, the largest photo, presses, edits, and keeps out of groups", () => {
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

it("a webhook takes updates with its secret alone", async () => {
  const taken: Update[] = [];
  const receive = async (updates: readonly Update[]) => void taken.push(...updates);
  const server = await startTestHttpServer({
    sql: database.sql,
    modules: [telegramWebhooks([{ bot: "parcels", secret: "s3cret", receive }])],
  });
  const post = (body: unknown, secret?: string) =>
    server.call("/api/v1/bots/telegram/parcels", {
      body,
      headers: secret === undefined ? {} : { "x-telegram-bot-api-secret-token": secret },
    });
  try {
    const message = { message_id: 2, chat: { id: 5, type: "private" }, from: { id: 7 }, text: "hi" };
    expect((await post({ update_id: 1, message })).status).toBe(403);
    expect((await post({ update_id: 1, message }, "wrong")).status).toBe(403);
    expect((await post({ message }, "s3cret")).status).toBe(400);
    expect((await post({ update_id: 2, poll: {} }, "s3cret")).status).toBe(200);
    expect((await post({ update_id: 1, message }, "s3cret")).status).toBe(200);
    expect(taken).toMatchObject([{ id: 1, kind: "text", text: "hi", language: "ru" }]);
  } finally {
    await server.stop();
  }
});
