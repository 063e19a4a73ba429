import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testClock } from "../../shared/testing.ts";
import { channel, dialog, group, reader, startTestMax, type TestMax, token } from "../testing.ts";

const day = 24 * 3600 * 1000;

const clock = testClock();
let max: TestMax;
beforeEach(async () => {
  max = await startTestMax({ clock });
});
afterEach(() => max.close());

const refusal = async (path: string, body: unknown) => {
  const answer = await max.api("POST", path, body);
  return [answer.status, answer.body.code];
};

describe("sending", () => {
  test("a channel post comes back stripped, with markup, statistics and a public address", async () => {
    const message = await max.send({
      text: '<b>Новинка</b>: <a href="https://ex.ru">читать</a>',
      format: "html",
    });
    expect(message).toEqual({
      sender: expect.objectContaining({ username: "shop_bot", is_bot: true }),
      recipient: { chat_id: channel, chat_type: "channel", user_id: null },
      timestamp: clock.now(),
      body: {
        mid: expect.stringMatching(/^mid\.[0-9a-f]{32}$/),
        seq: expect.any(Number),
        text: "Новинка: читать",
        attachments: [],
        markup: [
          { type: "strong", from: 0, length: 7 },
          { type: "link", from: 9, length: 6, url: "https://ex.ru" },
        ],
      },
      stat: { views: 0 },
      url: expect.stringMatching(/^https:\/\/max\.ru\/shop\/\w+$/),
    });
  });

  test("a dialog is reached by user or by chat and has no statistics and no address", async () => {
    const byUser = await max.send({ text: "а" }, `user_id=${reader}`);
    const byChat = await max.send({ text: "б" }, `chat_id=${dialog}`);
    for (const message of [byUser, byChat]) {
      expect(message.recipient).toEqual({ chat_id: dialog, chat_type: "dialog", user_id: reader });
      expect(message).not.toHaveProperty("stat");
      expect(message).not.toHaveProperty("url");
    }
  });

  test("a text may have 4000 characters and no more", async () => {
    await max.send({ text: "я".repeat(4000) });
    expect(await refusal(`/messages?chat_id=${channel}`, { text: "я".repeat(4001) })).toEqual([
      400,
      "proto.payload",
    ]);
  });

  test.each([
    ["no text and no attachments", {}],
    ["an empty text", { text: "" }],
    ["tags around nothing", { text: "<b> </b>", format: "html" }],
    ["an unknown format", { text: "a", format: "bbcode" }],
    ["a text that is not a string", { text: 5 }],
    ["attachments that are not a list", { text: "a", attachments: {} }],
  ])("%s is refused", async (_case, body) => {
    expect(await refusal(`/messages?chat_id=${channel}`, body)).toEqual([400, "proto.payload"]);
  });

  test.each([
    ["nobody", ""],
    ["two recipients", `?chat_id=${channel}&user_id=${reader}`],
    ["a recipient that is not a number", "?chat_id=shop"],
  ])("%s is refused", async (_case, query) => {
    expect(await refusal(`/messages${query}`, { text: "a" })).toEqual([400, "proto.payload"]);
  });

  test("unknown targets are not found, and a bot cannot write first", async () => {
    expect(await refusal("/messages?chat_id=-1", { text: "a" })).toEqual([404, "chat.not.found"]);
    expect(await refusal("/messages?user_id=4242", { text: "a" })).toEqual([404, "dialog.not.found"]);
  });

  test("a dialog that the user has stopped is denied until it is started again", async () => {
    await max.control("PATCH", `/max/chats/${dialog}`, { suspended: true });
    expect(await max.api("POST", `/messages?user_id=${reader}`, { text: "a" })).toEqual({
      status: 403,
      body: { code: "chat.denied", message: "error.dialog.suspended" },
    });
    await max.control("POST", `/max/chats/${dialog}/start`, {});
    await max.send({ text: "снова" }, `user_id=${reader}`);
  });

  test("a channel takes posts only from an administrator who may write", async () => {
    const path = `/messages?chat_id=${channel}`;
    const rights = (member: object) =>
      max.control("PATCH", `/max/chats/${channel}`, { members: [{ bot: token, ...member }] });
    await rights({ is_admin: false });
    expect(await refusal(path, { text: "a" })).toEqual([403, "chat.denied"]);
    await rights({ is_admin: true, permissions: ["pin_message"] });
    expect(await refusal(path, { text: "a" })).toEqual([403, "chat.denied"]);
    await rights({ permissions: ["write"] });
    await max.send({ text: "можно" });
    await max.control("PATCH", `/max/chats/${channel}`, { remove_bots: [token] });
    expect(await refusal(path, { text: "a" })).toEqual([403, "chat.denied"]);
  });
});

describe("replying and forwarding", () => {
  const keyboard = {
    type: "inline_keyboard",
    payload: { buttons: [[{ type: "callback", text: "Да", payload: "y" }]] },
  };

  test("a reply carries the message it answers", async () => {
    const first = await max.send({ text: "вопрос" }, `chat_id=${group}`);
    const link = { type: "reply", mid: first.body.mid };
    const reply = await max.send({ text: "ответ", link }, `chat_id=${group}`);
    expect(reply.link).toMatchObject({
      type: "reply",
      chat_id: group,
      message: { mid: first.body.mid, text: "вопрос" },
    });
  });

  test("a message from another chat cannot be replied to, one that is not there is not found", async () => {
    const { body } = await max.send({ text: "там" });
    for (const mid of [body.mid, "mid.0"]) {
      const request = { text: "a", link: { type: "reply", mid } };
      expect(await refusal(`/messages?chat_id=${group}`, request)).toEqual([404, "not.found"]);
    }
  });

  test("a forward needs no text of its own and loses the buttons", async () => {
    const first = await max.send({ text: "пост", attachments: [keyboard] });
    const forward = await max.send({ link: { type: "forward", mid: first.body.mid } }, `chat_id=${group}`);
    expect(forward.link).toMatchObject({
      type: "forward",
      chat_id: channel,
      message: { text: "пост", attachments: [] },
    });
  });
});

describe("editing", () => {
  const location = { type: "location", latitude: 1, longitude: 2 };
  const edit = (mid: string, body: object) => max.api("PUT", `/messages?message_id=${mid}`, body);
  const attachmentsOf = async (mid: string) =>
    (await max.api("GET", `/messages/${mid}`)).body.body.attachments;

  test("null and absence keep the attachments, an empty list removes them", async () => {
    const { body } = await max.send({ text: "a", attachments: [location] });
    for (const attachments of [null, undefined]) {
      expect((await edit(body.mid, { text: "b", attachments })).body).toEqual({ success: true });
      expect(await attachmentsOf(body.mid)).toHaveLength(1);
    }
    await edit(body.mid, { attachments: [] });
    expect(await attachmentsOf(body.mid)).toEqual([]);
    expect((await max.api("GET", `/messages/${body.mid}`)).body.body.text).toBe("b");
  });

  test("a message cannot be edited into nothing", async () => {
    const { body } = await max.send({ attachments: [location] });
    expect((await edit(body.mid, { attachments: [] })).status).toBe(400);
    expect(await attachmentsOf(body.mid)).toHaveLength(1);
  });

  test("in a dialog a message without buttons can be edited for seven days, elsewhere always", async () => {
    const buttons = [[{ type: "callback", text: "Да", payload: "y" }]];
    const keyboard = { type: "inline_keyboard", payload: { buttons } };
    const plain = await max.send({ text: "a" }, `user_id=${reader}`);
    const withButtons = await max.send({ text: "a", attachments: [keyboard] }, `user_id=${reader}`);
    const posted = await max.send({ text: "a" });
    clock.advance(7 * day);
    expect((await edit(plain.body.mid, { text: "b" })).body.success).toBe(true);
    clock.advance(1);
    expect((await edit(plain.body.mid, { text: "c" })).body).toMatchObject({
      success: false,
      message: expect.any(String),
    });
    expect((await edit(withButtons.body.mid, { text: "c" })).body.success).toBe(true);
    expect((await edit(posted.body.mid, { text: "c" })).body.success).toBe(true);
  });

  test("what is not there is not found, and what others wrote is denied", async () => {
    const { message } = await max.control<{ message: { id: string } }>("POST", `/max/chats/${group}/say`, {
      text: "моё",
    });
    const answers = [await edit("mid.0", { text: "a" }), await edit(message.id, { text: "a" })];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, "not.found"],
      [403, "chat.denied"],
    ]);
  });
});

describe("deleting", () => {
  test("a deleted message is gone from every reading", async () => {
    const { body } = await max.send({ text: "a" });
    expect(await max.api("DELETE", `/messages?message_id=${body.mid}`)).toEqual({
      status: 200,
      body: { success: true },
    });
    expect((await max.api("GET", `/messages/${body.mid}`)).status).toBe(404);
    expect((await max.api("GET", `/messages?chat_id=${channel}`)).body.messages).toEqual([]);
    expect((await max.api("GET", `/messages?message_ids=${body.mid}`)).body.messages).toEqual([]);
    expect((await max.api("DELETE", `/messages?message_id=${body.mid}`)).body.code).toBe("not.found");
  });
});

describe("reading back", () => {
  const texts = async (query: string) => {
    const { body } = await max.api("GET", `/messages?${query}`);
    return body.messages.map((message: { body: { text: string } }) => message.body.text);
  };

  test("messages come newest first, within a period and a count", async () => {
    const times: number[] = [];
    for (const text of ["1", "2", "3", "4"]) {
      times.push(clock.now());
      await max.send({ text });
      clock.advance(1000);
    }
    const [, second, third] = times;
    expect(await texts(`chat_id=${channel}`)).toEqual(["4", "3", "2", "1"]);
    expect(await texts(`chat_id=${channel}&count=2`)).toEqual(["4", "3"]);
    expect(await texts(`chat_id=${channel}&from=${second}&to=${third}`)).toEqual(["3", "2"]);
    expect(await texts(`chat_id=${channel}&from=${third}&to=${second}`)).toEqual(["3", "2"]);
    expect(await texts(`chat_id=${channel}&from=${third}`)).toEqual(["4", "3"]);
    expect(await texts(`chat_id=${channel}&to=${second}`)).toEqual(["2", "1"]);
  });

  test("messages are also read by their ids, in the order asked for", async () => {
    const first = await max.send({ text: "1" });
    const second = await max.send({ text: "2" }, `chat_id=${group}`);
    expect(await texts(`message_ids=${second.body.mid},mid.0,${first.body.mid}`)).toEqual(["2", "1"]);
  });

  test.each([["count=0"], ["count=101"], ["from=yesterday"]])("%s is refused", async (query) => {
    const answer = await max.api("GET", `/messages?chat_id=${channel}&${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, "proto.payload"]);
  });

  test("fifty messages are given unless told otherwise", async () => {
    for (let index = 0; index < 51; index += 1) await max.send({ text: String(index) });
    expect(await texts(`chat_id=${channel}`)).toHaveLength(50);
    expect(await texts(`chat_id=${channel}&count=100`)).toHaveLength(51);
  });

  test("a chat the bot is not in, and one that is not there, are not read", async () => {
    await max.control("PATCH", `/max/chats/${group}`, { remove_bots: ["shop_bot"] });
    const codes = [];
    for (const id of [group, -1]) codes.push((await max.api("GET", `/messages?chat_id=${id}`)).body.code);
    expect(codes).toEqual(["chat.denied", "chat.not.found"]);
  });
});
