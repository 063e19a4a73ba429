import { afterEach, beforeEach, expect, test } from "vitest";
import type { ChatView, MessageView, TwinEvent } from "../shared/index.ts";
import { channel, dialog, group, mp4, pngOf, reader, startTestMax, type TestMax } from "./testing.ts";

let max: TestMax;
beforeEach(async () => {
  max = await startTestMax();
});
afterEach(() => max.close());

const shown = async (chat: number, query = ""): Promise<MessageView[]> =>
  (await max.control<{ messages: MessageView[] }>("GET", `/chats/max/${chat}/messages${query}`)).messages;

test("chats are shown as a person sees them", async () => {
  await max.send({ text: "последнее" });
  const { chats } = await max.control<{ chats: ChatView[] }>("GET", "/chats");
  expect(chats.filter(({ provider }) => provider === "max")).toEqual([
    {
      provider: "max",
      id: String(channel),
      title: "Новости",
      kind: "channel",
      username: "shop",
      writable: false,
      last: { text: "последнее", at: expect.any(Number) },
      count: 1,
    },
    { provider: "max", id: String(group), title: "Покупатели", kind: "group", writable: true, count: 0 },
    { provider: "max", id: String(dialog), title: "Магазин", kind: "dialog", writable: true, count: 0 },
  ]);
});

test("a post is shown with its marks, media, buttons and preview", async () => {
  const { body: image } = await max.upload("image", pngOf(30, 20), "кот.png");
  const buttons = [
    [{ type: "link", text: "Сайт", url: "https://ex.ru" }],
    [{ type: "callback", text: "Да", payload: "y" }],
  ];
  await max.send({
    text: '<h1>Скидки</h1>\n<mark>Сегодня</mark> <a href="https://ex.ru">тут</a>',
    format: "html",
    notify: false,
    attachments: [
      { type: "image", payload: image },
      { type: "inline_keyboard", payload: { buttons } },
    ],
  });
  const [view] = await shown(channel);
  expect(view).toMatchObject({
    author: { name: "Магазин", bot: true, mine: false },
    text: "Скидки\nСегодня тут",
    marks: [
      { type: "heading", offset: 0, length: 6 },
      { type: "highlight", offset: 7, length: 7 },
      { type: "link", offset: 15, length: 3, url: "https://ex.ru" },
    ],
    media: [
      { kind: "photo", url: expect.stringMatching(/^\/_blobs\//), width: 30, height: 20, name: "кот.png" },
    ],
    buttons: [[{ text: "Сайт", kind: "link", url: "https://ex.ru" }], [{ text: "Да", kind: "callback" }]],
    linkPreview: { url: "https://ex.ru" },
    edited: false,
    silent: true,
    views: 0,
  });
});

test("a preview can be switched off", async () => {
  await max.send({ text: "https://ex.ru" }, `chat_id=${channel}&disable_link_preview=true`);
  await max.send({ text: "https://ex.ru" });
  const [without, withPreview] = await shown(channel);
  expect(without?.linkPreview).toBeUndefined();
  expect(withPreview?.linkPreview).toEqual({ url: "https://ex.ru" });
});

test("replies quote, forwards show what they forward, bare kinds are named", async () => {
  const question = await max.send({ text: "вопрос" }, `chat_id=${group}`);
  await max.send({ text: "ответ", link: { type: "reply", mid: question.body.mid } }, `chat_id=${group}`);
  await max.send({ link: { type: "forward", mid: question.body.mid } }, `chat_id=${group}`);
  await max.send({ attachments: [{ type: "location", latitude: 1, longitude: 2 }] }, `chat_id=${group}`);
  const views = await shown(group);
  expect(views[1]?.replyTo).toEqual({ id: question.body.mid, author: "Магазин", text: "вопрос" });
  expect(views[2]).toMatchObject({ text: "вопрос" });
  expect(views[3]).toMatchObject({ text: "Геопозиция", media: [] });
});

test("films, sounds and files are shown by kind", async () => {
  await max.control("PATCH", "/max/options", { not_ready_sends: 0 });
  const video = await max.upload("video", mp4);
  const file = await max.upload("file", Buffer.from("a"), "прайс.pdf");
  await max.send({ attachments: [{ type: "video", payload: { token: video.token } }] });
  await max.send({ attachments: [{ type: "file", payload: file.body }] });
  const views = await shown(channel);
  expect(views.map(({ media }) => media[0])).toMatchObject([
    { kind: "video" },
    { kind: "document", name: "прайс.pdf", size: 1 },
  ]);
});

test("messages come in pages, oldest first within a page", async () => {
  for (const text of ["1", "2", "3"]) await max.send({ text });
  const last = await shown(channel, "?limit=2");
  expect(last.map(({ text }) => text)).toEqual(["2", "3"]);
  const earlier = await shown(channel, `?limit=2&before=${last[0]?.id}`);
  expect(earlier.map(({ text }) => text)).toEqual(["1"]);
});

test("the page is told about messages, edits and removals as they happen", async () => {
  const events: TwinEvent[] = [];
  const stop = max.context.bus.subscribe((event) => events.push(event));
  const { body } = await max.send({ text: "a" }, `user_id=${reader}`);
  await max.api("PUT", `/messages?message_id=${body.mid}`, { text: "b" });
  await max.api("DELETE", `/messages?message_id=${body.mid}`);
  stop();
  expect(events).toMatchObject([
    { type: "message", provider: "max", chatId: String(dialog), message: { text: "a", edited: false } },
    { type: "message", message: { text: "b", edited: true } },
    { type: "removed", messageId: body.mid },
  ]);
});
