import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aTelegramPerson, type TelegramPerson } from "../../../tests/support/telegram-person.ts";
import { until } from "../../../tests/support/until.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { png } from "../../../twins/telegram/testing.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { type Service, serviceGroup } from "../../kernel/service/index.ts";
import { createDialogs } from "../engine/dialogs.ts";
import type { Flow } from "../flow/flow.ts";
import { largestPhoto, type OracleServices, oracle } from "../testing/oracle.ts";
import { menu, parcel } from "../testing/parcel.ts";
import { telegramApi } from "./client.ts";
import { createTelegramMessenger } from "./messenger.ts";
import { createTelegramPolling } from "./polling.ts";

let database: TestDatabase;
let twins: RunningTwins;
const http = createProviderClient({ defaultTimeoutMs: 5_000 });
const running: Service[] = [];
beforeAll(async () => {
  database = await testDatabase();
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  await fetch(`${twins.url}/_control/faults`, { method: "DELETE" });
});
afterAll(async () => {
  await http.close();
  await twins.close();
  await database.drop();
});

async function somebody<Services>(
  flows: readonly Flow<Services>[],
  services: Services,
): Promise<TelegramPerson> {
  const person = await aTelegramPerson(twins.url);
  const api = telegramApi({ http, token: async () => person.token, apiRoot: `${twins.url}/telegram` });
  const dialogs = createDialogs({
    sql: database.sql,
    log: silentLog,
    key: { workspaceId: await aWorkspace(database.sql), bot: randomUUID() },
    flows,
    messenger: createTelegramMessenger(api),
    services,
  });
  const polling = createTelegramPolling({ api, log: silentLog, receive: dialogs.receive, holdSeconds: 1 });
  const group = serviceGroup("a bot", [dialogs, polling]);
  await group.start();
  running.push(group);
  return person;
}

const aSender = () => somebody([menu, parcel], { order: async () => ({ number: "17" }), left: [] });
const anAsker = (answer: OracleServices["answer"]) => somebody([oracle], { answer });

const said = async (person: TelegramPerson) =>
  (await person.messages()).filter(({ author }) => author.bot).map(({ text }) => text);

describe("a screen", () => {
  it.each([
    ["429, after which we wait as long as it says", { kind: "status", status: 429, retryAfter: 1 }],
    ["500", { kind: "status", status: 500 }],
    ["401, as while a token is being replaced", { kind: "status", status: 401 }],
    ["a broken connection before anything happened", { kind: "drop_before" }],
  ])("comes once although Telegram answers %s", async (_, fault) => {
    const person = await aSender();
    await person.fault("sendMessage", fault);
    await person.say("/parcel");
    await person.see("Какого размера посылка?");
    expect(await said(person)).toEqual(["Какого размера посылка?"]);
  });

  it.each([
    ["the answer is lost", { kind: "drop_after" }],
    ["the answer cannot be read", { kind: "malformed" }],
  ])("may come twice when %s, and then only the first tap on either counts", async (_, fault) => {
    const person = await aSender();
    await person.fault("sendMessage", fault);
    await person.say("/parcel");
    await until("the second copy", async () => (await said(person)).length === 2);
    const [first, second] = (await person.messages()).filter(({ author }) => author.bot);
    const tap = (id: string | undefined) =>
      person.control("POST", `/telegram/chats/${person.chatId}/press`, { message_id: id, row: 0, column: 0 });
    await tap(first?.id);
    await tap(second?.id);
    await person.see("Что добавить?");
    await until("both taps to be answered", async () => {
      const calls = await person.calls("answerCallbackQuery");
      return calls.length === 2 && calls.at(-1)?.request.text === "Эта кнопка с прежнего экрана.";
    });
  });

  it("that changes nothing is left as it is", async () => {
    const person = await aSender();
    await person.say("/parcel");
    const screen = await person.see("Какого размера посылка?");
    const press = { message_id: screen.id, row: 0, column: 0, copies: 1 };
    await person.control("POST", `/telegram/chats/${person.chatId}/press`, press);
    await person.see("Что добавить?");
    // The same text again: Telegram refuses the edit, and that counts as success.
    await person.fault("editMessageText", {
      kind: "status",
      status: 400,
      description: "Bad Request: message is not modified: specified new message content is the same",
    });
    await person.press("box");
    await person.struck();
    await person.press("Готово");
    await until("the next screen", async () => (await said(person)).length === 1);
    expect((await person.calls("sendMessage")).length).toBe(1);
  });

  it("whose message was deleted comes as a new one", async () => {
    const person = await aSender();
    await person.say("/parcel");
    const screen = await person.see("Какого размера посылка?");
    await person.fault("editMessageText", { kind: "delay", ms: 3_000 });
    await person.press("Малая");
    const query = `chat_id=${person.chatId}&message_id=${screen.id}`;
    await fetch(`${twins.url}/telegram/bot${person.token}/deleteMessage?${query}`);
    expect((await person.see("Что добавить?")).id).not.toBe(screen.id);
  });

  it("is given up for somebody who blocked the bot, and comes when they are back", async () => {
    const person = await aSender();
    await person.say("/parcel");
    await person.see("Какого размера посылка?");
    const chat = `/telegram/chats/${person.chatId}`;
    await person.fault("answerCallbackQuery", { kind: "delay", ms: 3_000 });
    await person.press("Малая");
    await person.control("PATCH", chat, { block: true });
    await until("the refusal", async () =>
      (await person.calls("editMessageText")).some(({ status }) => status === 403),
    );
    await person.control("PATCH", chat, { block: false });
    await person.say("привет");
    await person.see("Пожалуйста, нажмите одну из кнопок.\n\nЧто добавить?");
    expect((await person.calls("editMessageText")).filter(({ status }) => status === 403)).toHaveLength(1);
  });
});

describe("an answer", () => {
  it("is formatted as its Markdown says", async () => {
    const person = await anAsker(async () => "Дайте **воды** и [читайте](https://example.com/a).");
    await person.say("/ask");
    await person.say("что делать?");
    const message = await person.see("Дайте воды и читайте.\n\nПомогло?");
    expect(message.marks.map(({ type }) => type)).toEqual(["bold", "link", "italic"]);
  });

  it("longer than a message comes in several, the buttons under the last", async () => {
    const words = Array.from({ length: 900 }, (_, index) => `слово${index}`);
    const person = await anAsker(async () => words.join(" "));
    await person.say("/ask");
    await person.see("О чём спросите?");
    await person.say("расскажи");
    await until("the buttons", async () => (await person.messages()).at(-1)?.buttons.flat()[1]);
    const parts = (await said(person)).filter((text) => text !== "О чём спросите?" && text !== "Думаю…");
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every((part) => part.length <= 4_096)).toBe(true);
    expect(parts.join(" ").replace(/\s+/g, " ")).toBe(`${words.join(" ")} Помогло?`);
  });

  it("grows before one's eyes, and then stays as a message of its own", async () => {
    const person = await anAsker(async (_, draft) => {
      draft("Дайте");
      await until("the draft", async () => (await person.calls("sendMessageDraft")).length > 0);
      return "Дайте воды.";
    });
    await person.say("/ask");
    await person.say("что делать?");
    await person.see("Дайте воды.\n\nПомогло?");
    expect(await said(person)).toContain("Думаю…");
    expect((await person.calls("sendMessageDraft")).map(({ request }) => request)).toMatchObject([
      { text: "Дайте", draft_id: expect.not.stringMatching(/^0$/) },
    ]);
  });

  it("comes although its draft was refused, and asks for no second", async () => {
    const person = await anAsker(async (_, draft) => {
      draft("Да");
      await person.struck();
      draft("Дайте");
      return "Дайте воды.";
    });
    await person.fault("sendMessageDraft", { kind: "status", status: 400 });
    await person.say("/ask");
    await person.say("что делать?");
    await person.see("Дайте воды.\n\nПомогло?");
    expect(await person.calls("sendMessageDraft")).toHaveLength(1);
  });
});

describe("a photo that a person sent", () => {
  const photo = (bytes: number) =>
    `data:image/png;base64,${Buffer.from(png(64, 64, bytes)).toString("base64")}`;
  const aViewer = () => anAsker(async () => "");

  it("is fetched, also when Telegram does not answer at first", async () => {
    const person = await aViewer();
    await person.fault("getFile", { kind: "status", status: 500 });
    await person.send({ photo: photo(500) });
    await person.see("Байт: 500\n\nПомогло?");
  });

  it.each([
    ["larger than the flow takes", async () => {}, largestPhoto + 1, "too large"],
    [
      "larger than Telegram gives",
      (person: TelegramPerson) =>
        person.fault("getFile", {
          kind: "status",
          status: 400,
          description: "Bad Request: file is too big",
        }),
      500,
      "too large",
    ],
    [
      "that Telegram has no more",
      (person: TelegramPerson) =>
        person.fault("getFile", { kind: "status", status: 400, description: "Bad Request: invalid file_id" }),
      500,
      "gone",
    ],
  ] as const)("%s is refused without another attempt", async (_, prepare, bytes, words) => {
    const person = await aViewer();
    await prepare(person);
    await person.send({ photo: photo(bytes) });
    await person.see(`${words}\n\nО чём спросите?`);
    expect(await person.calls("getFile")).toHaveLength(1);
  });
});
