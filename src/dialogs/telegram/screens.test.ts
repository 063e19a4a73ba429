import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aTelegramPerson, type TelegramPerson } from "../../../tests/support/telegram-person.ts";
import { until } from "../../../tests/support/until.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { png } from "../../../twins/telegram/testing.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { type Service, serviceGroup } from "../../kernel/service/index.ts";
import { createDialogs, type DialogsSettings } from "../engine/dialogs.ts";
import { wake } from "../engine/notify.ts";
import { screensOf } from "../flow/screens.ts";
import { type LibraryServices, libraryFlows, libraryKeyboard, libraryScreens } from "../testing/library.ts";
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

const cover = png(40, 30);

/** A reader with two books in the twin of Telegram; the first has a picture. */
async function aReader(given: Partial<DialogsSettings<LibraryServices>> = {}) {
  const person = await aTelegramPerson(twins.url);
  const api = telegramApi({ http, token: async () => person.token, apiRoot: `${twins.url}/telegram` });
  const owner = String(person.chatId);
  const services: LibraryServices = {
    books: new Map([
      [1, { title: "Фото", owner }],
      [2, { title: "Идиот", owner }],
    ]),
    ...{ admins: new Set<string>(), left: [], stopped: [], deletions: [], progress: () => "Лист 1" },
  };
  const key = { workspaceId: await aWorkspace(database.sql), bot: randomUUID() };
  const dialogs = createDialogs({
    ...{ sql: database.sql, log: silentLog, key, messenger: createTelegramMessenger(api), services },
    ...{ flows: libraryFlows, screens: libraryScreens, keyboard: libraryKeyboard, home: "screen:dashboard" },
    files: async () => cover,
    ...given,
  });
  const polling = createTelegramPolling({ api, log: silentLog, receive: dialogs.receive, holdSeconds: 1 });
  const group = serviceGroup("a bot", [dialogs, polling]);
  await group.start();
  running.push(group);
  return { person, services, key };
}

/** A tap with any data on the message that says this. */
async function tap(person: TelegramPerson, text: string, data: string): Promise<void> {
  const { id } = await person.see(text);
  await person.control("POST", `/telegram/chats/${person.chatId}/press`, { message_id: id, data });
}

const media = z.object({ media: z.array(z.object({ kind: z.string(), name: z.string().optional() })) });

describe("in Telegram", () => {
  it("the keyboard, its labels, colours, a text to copy and pages stand as Telegram takes them", async () => {
    const { person } = await aReader();
    await person.say("/start");
    const carrier = await person.see("Кнопки внизу всегда под рукой.");
    expect(carrier.buttons).toMatchObject([[{ text: "Меню", style: "primary" }, { text: "Написать книгу" }]]);
    const board = await person.see("Книг: 2");
    expect(board.buttons[0]).toMatchObject([{ text: "Книги", kind: "callback", style: "primary" }, {}]);
    expect(board.buttons[1]).toMatchObject([{ text: "Сайт", kind: "link" }, { text: "Скопировать" }]);
    const press = { message_id: board.id, row: 1, column: 1 };
    expect(await person.control("POST", `/telegram/chats/${person.chatId}/press`, press)).toEqual({
      copy: "https://example.com/ref",
    });
    await person.press("Написать книгу");
    await person.see("Как называется книга?");
    await person.press("Меню");
    await person.see("Предыдущий процесс (новая книга) прерван.\n\nКниг: 2");
  });

  it("buttons are plain where Telegram refuses colours, and stay so", async () => {
    const { person } = await aReader();
    const description = "Bad Request: can't parse keyboard button: Invalid button style specified";
    await person.fault("sendMessage", { kind: "status", status: 400, description });
    await person.say("/start");
    const board = await person.see("Книг: 2");
    await person.struck();
    expect((await person.see("Кнопки внизу всегда под рукой.")).buttons[0]?.[0]).not.toHaveProperty("style");
    expect(board.buttons[0]?.[0]).toEqual({ text: "Книги", kind: "callback" });
  });

  it("a forged or foreign address gets a screen with a way on, and a double tap acts once", async () => {
    const { person, services } = await aReader();
    await person.say("/start");
    await tap(person, "Книг: 2", "book:1:somebody_elses:💥");
    await tap(person, "Книг: 2", "book:77:card");
    await person.see("Этого здесь больше нет. Возможно, оно удалено.");
    await person.press("Главное меню");
    const { id } = await person.see("Книг: 2");
    const press = { message_id: id, data: "book:2:delete", copies: 2 };
    await person.control("POST", `/telegram/chats/${person.chatId}/press`, press);
    await person.control("POST", `/telegram/chats/${person.chatId}/press`, press);
    await person.see("Удалено: Идиот\n\nКниги, страница 1");
    expect(services.deletions).toEqual([2]);
  });

  it("a picture stands above its screen, and gives way to a screen without", async () => {
    const { person, services } = await aReader();
    await person.say("/start");
    await tap(person, "Книг: 2", "book:1:card");
    const card = await person.see("Фото");
    expect(media.parse(card).media).toMatchObject([{ kind: "photo" }]);
    services.books.set(1, { title: "Фото 2", owner: String(person.chatId) });
    await tap(person, "Фото", "book:1:card");
    const edited = await person.see("Фото 2");
    expect([edited.id, media.parse(edited).media.length]).toEqual([card.id, 1]);
    await person.press("К книгам");
    await person.see("Книги, страница 1");
    await until("the picture to go", async () =>
      (await person.messages()).every(({ text }) => text !== "Фото 2"),
    );
  });

  it.each([
    ["refuses the picture", { kind: "status", status: 400 }],
    ["finds it too large", { kind: "status", status: 413 }],
  ])("the words come although Telegram %s", async (_, fault) => {
    const { person } = await aReader();
    await person.say("/start");
    await person.see("Книг: 2");
    await person.fault("sendPhoto", fault);
    await tap(person, "Книг: 2", "book:1:card");
    expect(media.parse(await person.see("Фото")).media).toEqual([]);
  });

  it.each([
    ["429", { kind: "status", status: 429, retryAfter: 1 }],
    ["500", { kind: "status", status: 500 }],
    ["a broken connection", { kind: "drop_before" }],
  ])("a file comes once although Telegram answers %s", async (_, fault) => {
    const { person } = await aReader();
    await person.say("/start");
    await person.see("Книг: 2");
    await person.fault("sendDocument", fault);
    await tap(person, "Книг: 2", "book:2:file:csv");
    const file = await person.see("Ваш файл");
    expect(media.parse(file).media).toMatchObject([{ kind: "document", name: "book-2.csv" }]);
    await person.see("Идиот");
    expect((await person.messages()).filter(({ text }) => text === "Ваш файл")).toHaveLength(1);
  });

  it("an album comes as one, and a document with a long caption keeps all of it", async () => {
    const { action } = screensOf<LibraryServices>();
    const long = "слово ".repeat(300).trim();
    const album = action("album", {
      to: ["dashboard"],
      act: () => ({
        say: [
          { album: [{ photo: { bytes: cover }, caption: "Первая" }, { photo: { stored: "x" } }] },
          { photo: { bytes: cover }, caption: long },
        ],
      }),
    });
    const { person } = await aReader({ screens: [...libraryScreens, album] });
    await person.say("/start");
    await tap(person, "Книг: 2", "album");
    await person.see(long);
    const kinds = (await person.messages()).flatMap((message) => media.parse(message).media);
    expect(kinds.map(({ kind }) => kind)).toEqual(["photo", "photo", "photo"]);
    await person.see("Первая");
  });

  it("a file that a person sends reaches its state, also after Telegram failed once", async () => {
    const { person } = await aReader();
    await person.say("/start");
    await person.press("Написать книгу");
    await person.see("Как называется книга?");
    await person.say("Бесы");
    await person.press("жанр 1");
    await person.see("Пришлите обложку или подтвердите ссылкой.");
    await person.fault("getFile", { kind: "status", status: 500 });
    const data = `data:text/plain;base64,${Buffer.from("фразы").toString("base64")}`;
    await person.send({ file: { kind: "document", data, name: "cover.txt" } });
    await person.see("Книга создана, обложка: файл\n\nБесы");
    await person.struck();
  });

  it("a wait shows its progress, types, and is woken in the caller's transaction", async () => {
    let sheet = 1;
    const { person, key, services } = await aReader();
    services.progress = () => `Лист ${sheet}`;
    await person.say("/start");
    await tap(person, "Книг: 2", "book:2:print");
    await person.press("Да");
    const { id } = await person.see("Лист 1");
    sheet = 2;
    expect((await person.see("Лист 2")).id).toBe(id);
    await until("typing", async () => (await person.calls("sendChatAction")).length > 0);
    const event = {
      chatId: String(person.chatId),
      id: "w",
      on: "print:2",
      outcome: "done",
      facts: { sheets: 9 },
    };
    await expect(
      database.sql.begin(async (tx) => {
        await wake(tx, key, event, new Date());
        throw new Error("the run could not be settled");
      }),
    ).rejects.toThrow("settled");
    await database.sql.begin((tx) => wake(tx, key, { ...event, facts: { sheets: 10 } }, new Date()));
    expect((await person.see("Напечатано листов: 10")).id).toBe(id);
    await person.press("Хорошо");
    await tap(person, "Книг: 2", "book:2:print");
    await person.press("Да");
    await person.see("Лист 2");
    await wake(database.sql, key, { ...event, id: "w2", facts: { sheets: 101 } }, new Date());
    expect(media.parse(await person.see("Напечатано листов: 101")).media).toMatchObject([{ kind: "photo" }]);
  });
});
