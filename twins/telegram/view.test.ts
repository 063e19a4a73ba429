import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ChatView, MessageView } from "../shared/index.ts";
import { botToken, channelId, personId, pngFile, startTelegram, type TestTelegram } from "./testing.ts";

let home: string;
let telegram: TestTelegram;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "molva-twins-"));
  telegram = await startTelegram({ home });
});
afterEach(async () => {
  await telegram.close();
  await rm(home, { recursive: true });
});

const messages = async (chat: number = channelId, query = "") =>
  (
    await telegram.twins.control<{ messages: MessageView[] }>(
      "GET",
      `/chats/telegram/${chat}/messages${query}`,
    )
  ).messages;
const chats = async () => (await telegram.twins.control<{ chats: ChatView[] }>("GET", "/chats")).chats;

test("a chat that is added without an id takes none that another has", async () => {
  const taken = -1_002_000_000_000;
  const given = Array.from({ length: 30 }, (_, serial) => taken - serial);
  for (const id of given)
    await telegram.twins.control("POST", "/telegram/chats", { type: "channel", id, title: `Канал ${id}` });
  await telegram.twins.control("POST", "/telegram/chats", { type: "channel", title: "Без номера" });
  const named = (await chats()).filter(({ title }) => title.startsWith("Канал "));
  expect(named).toHaveLength(given.length);
});

describe("what a person sees", () => {
  test("a keyboard stands below the chat until another takes it away; a tap may carry any data", async () => {
    const send = (reply_markup: object) =>
      telegram.call<{ message_id: number }>("sendMessage", { chat_id: personId, text: "a", reply_markup });
    await send({ keyboard: [[{ text: "Меню", style: "primary" }]], resize_keyboard: true });
    const below = [[{ text: "Меню", kind: "other", style: "primary" }]];
    expect(await messages(personId)).toMatchObject([{ buttons: below, buttonsBelow: true }]);
    const { result } = await send({ remove_keyboard: true });
    expect((await messages(personId)).at(-1)).toMatchObject({ buttons: [], buttonsBelow: true });
    const press = { message_id: result?.message_id, data: "project:12:card" };
    await telegram.twins.control("POST", `/telegram/chats/${personId}/press`, press);
    const { result: updates } = await telegram.call<object[]>("getUpdates");
    expect(updates?.at(-1)).toMatchObject({ callback_query: { data: "project:12:card" } });
    const copying = await send({ inline_keyboard: [[{ text: "Код", copy_text: { text: "42" } }]] });
    const place = { message_id: copying.result?.message_id, row: 0, column: 0 };
    const copies = [[{ text: "Код", kind: "other", copy: "42" }]];
    expect((await messages(personId)).at(-1)).toMatchObject({ buttons: copies });
    expect(await telegram.twins.control("POST", `/telegram/chats/${personId}/press`, place)).toEqual({
      copy: "42",
    });
  });

  test("a post has its text, marks, buttons and preview", async () => {
    await telegram.call("sendMessage", {
      chat_id: channelId,
      text: '<b>Осень</b> <a href="https://ya.ru/x">тут</a> #скидки <blockquote expandable>цитата</blockquote><pre><code class="language-ts">a</code></pre>',
      parse_mode: "HTML",
      disable_notification: true,
      reply_markup: {
        inline_keyboard: [
          [
            { text: "Сайт", url: "https://ya.ru" },
            { text: "Да", callback_data: "y", style: "danger" },
          ],
        ],
      },
    });
    const [view] = await messages();
    expect(view).toMatchObject({
      text: "Осень тут #скидки цитатаa",
      author: { name: "Новости магазина", bot: true, mine: false },
      marks: [
        { type: "bold", offset: 0, length: 5 },
        { type: "link", offset: 6, length: 3, url: "https://ya.ru/x" },
        { type: "hashtag", offset: 10, length: 7 },
        { type: "expandable_quote", offset: 18, length: 6 },
        { type: "pre", offset: 24, length: 1, language: "ts" },
      ],
      buttons: [
        [
          { text: "Сайт", kind: "link", url: "https://ya.ru/" },
          { text: "Да", kind: "callback", style: "danger" },
        ],
      ],
      linkPreview: { url: "https://ya.ru/x" },
      silent: true,
      edited: false,
      protected: false,
      media: [],
    });
  });

  test("a photo is loaded from the twins, with its size and spoiler", async () => {
    await telegram.upload("sendPhoto", {
      chat_id: String(channelId),
      photo: pngFile(640, 480),
      has_spoiler: "true",
      show_caption_above_media: "true",
      caption: "Закат",
    });
    const [view] = await messages();
    expect(view).toMatchObject({
      text: "Закат",
      captionAboveMedia: true,
      media: [{ kind: "photo", width: 640, height: 480, spoiler: true }],
    });
    const response = await fetch(telegram.twins.url + view?.media[0]?.url);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-disposition")).toMatch(/^inline/);
  });

  test("a person's words are theirs, and the dialog can be written to", async () => {
    await telegram.twins.control("POST", `/telegram/chats/${personId}/say`, { text: "Привет" });
    const [view] = await messages(personId);
    expect(view?.author).toEqual({ name: "Ира", bot: false, mine: true });
    const list = await chats();
    expect(list.find(({ id }) => id === String(personId))).toMatchObject({
      provider: "telegram",
      title: "Ира",
      kind: "dialog",
      writable: true,
      count: 1,
      last: { text: "Привет" },
    });
    expect(list.find(({ id }) => id === String(channelId))).toMatchObject({
      kind: "channel",
      writable: false,
      username: "shop_news",
    });
  });

  test("pages go backwards and each is oldest first", async () => {
    for (const text of ["1", "2", "3", "4", "5"])
      await telegram.call("sendMessage", { chat_id: channelId, text });
    const last = await messages(channelId, "?limit=2");
    expect(last.map(({ text }) => text)).toEqual(["4", "5"]);
    const earlier = await messages(channelId, `?limit=2&before=${last[0]?.id}`);
    expect(earlier.map(({ text }) => text)).toEqual(["2", "3"]);
  });

  test("a chat keeps its newest 500 messages", async () => {
    for (let index = 1; index <= 502; index += 1) {
      await telegram.call("sendMessage", { chat_id: channelId, text: String(index) });
    }
    const kept = await messages(channelId, "?limit=500");
    expect([kept.length, kept[0]?.text, kept.at(-1)?.text]).toEqual([500, "3", "502"]);
  });
});

describe("across a restart", () => {
  test("bots, chats, messages, files, webhooks and waiting updates are still there", async () => {
    const { result } = await telegram.upload<{ photo: { file_id: string }[]; message_id: number }>(
      "sendPhoto",
      {
        chat_id: String(channelId),
        photo: pngFile(),
        caption: "Закат",
      },
    );
    await telegram.twins.control("POST", `/telegram/chats/${personId}/say`, { text: "Ждёт" });
    await telegram.close();
    telegram = await startTelegram({ home });

    const [view] = await messages();
    expect(view).toMatchObject({ text: "Закат", media: [{ kind: "photo" }] });
    expect((await fetch(telegram.twins.url + view?.media[0]?.url)).status).toBe(200);
    expect((await telegram.call<unknown[]>("getUpdates")).result).toHaveLength(1);
    const again = await telegram.call<{ message_id: number }>("sendPhoto", {
      chat_id: channelId,
      photo: result.photo[0]?.file_id,
    });
    expect(again.result.message_id).toBe(result.message_id + 1);
  });

  test("a state file that cannot be read is put aside with a warning, and the twins start empty", async () => {
    await telegram.close();
    await writeFile(join(home, "telegram.json"), '{"version":1,');
    const warnings: string[] = [];
    const log = { info: () => {}, warn: (_facts: object, text: string) => void warnings.push(text) };
    telegram = await startTelegram({ home, log });
    expect(await messages()).toEqual([]);
    expect(warnings).toEqual(["the twins' state could not be read; starting empty"]);
    expect(await readFile(join(home, "telegram.json.corrupt"), "utf8")).toBe('{"version":1,');
  });

  test("a reset empties everything", async () => {
    await telegram.call("sendMessage", { chat_id: channelId, text: "a" });
    await telegram.twins.control("POST", "/reset");
    expect(await chats()).toEqual([]);
    expect((await telegram.call("getMe", {}, botToken)).error_code).toBe(401);
  });
});

describe("setting up", () => {
  test("the same call twice changes nothing, and a changed one updates", async () => {
    const channel = {
      type: "channel",
      title: "Без номера",
      members: [{ bot: "shop_bot", can_post_messages: true }],
    };
    const first = await telegram.twins.control<{ id: number }>("POST", "/telegram/chats", channel);
    const second = await telegram.twins.control<{ id: number }>("POST", "/telegram/chats", channel);
    expect(second).toEqual(first);
    await telegram.twins.control("POST", "/telegram/chats", { ...channel, id: first.id, title: "Новое имя" });
    expect((await chats()).find(({ id }) => id === String(first.id))?.title).toBe("Новое имя");
  });

  test.each([
    ["/telegram/bots", { token: "1:a", username: "abc", first_name: "a" }, "token: "],
    ["/telegram/bots", { token: `3:${"C".repeat(35)}`, username: "shop_bot", first_name: "a" }, "username: "],
    ["/telegram/chats", { type: "forum", title: "a" }, "type: "],
    ["/telegram/chats", { type: "channel", title: "a", id: 5 }, "id: "],
    ["/telegram/chats", { type: "channel" }, "title: "],
    ["/telegram/chats", { type: "channel", title: "a", members: [{ bot: "nobody" }] }, "members: "],
    [`/telegram/chats/${personId}/say`, { text: "" }, "text: "],
    [`/telegram/chats/${personId}/say`, { photo: "data:image/png;base64,AAAA" }, "photo: "],
    [`/telegram/chats/${personId}/press`, { message_id: 1, row: -1, column: 0 }, "row: "],
  ])("%s with %j is refused and names the field", async (path, body, field) => {
    const response = await fetch(`${telegram.twins.url}/_control${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(400);
    const { error } = JSON.parse(await response.text());
    expect(error).toMatch(new RegExp(`^${field}`));
  });
});
