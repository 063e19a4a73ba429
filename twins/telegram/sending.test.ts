import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  botToken,
  channelId,
  groupId,
  otherToken,
  personId,
  startTelegram,
  type TestTelegram,
} from "./testing.ts";

let telegram: TestTelegram;
beforeAll(async () => {
  telegram = await startTelegram();
});
afterAll(() => telegram.close());

const refused = (reason: string) => ({ ok: false, error_code: 400, description: `Bad Request: ${reason}` });

describe("sendMessage", () => {
  test("a channel post comes back stripped, with entities and the channel as its sender", async () => {
    const { result } = await telegram.call("sendMessage", {
      chat_id: channelId,
      text: "<b>Sale</b> today",
      parse_mode: "HTML",
      reply_markup: { inline_keyboard: [[{ text: "Buy", callback_data: "buy:7", style: "success" }]] },
    });
    const chat = { id: channelId, type: "channel", title: "Новости магазина", username: "shop_news" };
    expect(result).toEqual({
      message_id: expect.any(Number),
      sender_chat: chat,
      chat,
      date: expect.any(Number),
      text: "Sale today",
      entities: [{ type: "bold", offset: 0, length: 4 }],
      reply_markup: { inline_keyboard: [[{ text: "Buy", callback_data: "buy:7", style: "success" }]] },
    });
  });

  test("in a private chat and in a group the bot is the sender", async () => {
    for (const chat_id of [personId, groupId]) {
      const { result } = await telegram.call("sendMessage", { chat_id, text: "Привет" });
      expect(result).toMatchObject({ from: { id: 1001, is_bot: true, username: "shop_bot" } });
    }
  });

  test("a channel can be named by @username, fields can come as query or urlencoded, names ignore case", async () => {
    const base = `${telegram.twins.url}/telegram/bot${botToken}`;
    const byQuery = await fetch(`${base}/SENDMESSAGE?chat_id=@shop_news&text=a`);
    const byForm = await fetch(`${base}/test/sendMessage`, {
      method: "POST",
      body: new URLSearchParams({
        chat_id: String(channelId),
        text: "b",
        reply_markup: '{"inline_keyboard":[[{"text":"c","url":"ya.ru"}]]}',
      }),
    });
    expect(await byQuery.json()).toMatchObject({ ok: true, result: { text: "a" } });
    expect(await byForm.json()).toMatchObject({
      result: { text: "b", reply_markup: { inline_keyboard: [[{ url: "http://ya.ru/" }]] } },
    });
  });

  test.each([
    [{ chat_id: channelId }, "message text is empty"],
    [{ chat_id: channelId, text: " \n " }, "message text is empty"],
    [{ chat_id: channelId, text: "<b></b>", parse_mode: "HTML" }, "message text is empty"],
    [{ text: "a" }, "chat_id is empty"],
    [{ chat_id: 5, text: "a" }, "chat not found"],
    [{ chat_id: "@nobody", text: "a" }, "chat not found"],
    [{ chat_id: channelId, text: "a".repeat(4097) }, "message is too long"],
    [
      { chat_id: channelId, text: "<p>", parse_mode: "HTML" },
      'can\'t parse entities: Unsupported start tag "p" at byte offset 0',
    ],
    [{ chat_id: channelId, text: "a", reply_to_message_id: 99_999 }, "message to be replied not found"],
    [{ chat_id: channelId, text: "a", reply_markup: "{" }, "can't parse reply markup JSON object"],
    [{ chat_id: channelId, text: "a", reply_markup: { keyboard: [["b"]] } }, "inline keyboard expected"],
  ])("%j is refused", async (fields, reason) => {
    expect(await telegram.call("sendMessage", fields)).toEqual(refused(reason));
  });

  test.each([
    [{ text: "a" }, "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"],
    [{ url: "ya.ru" }, "can't parse inline keyboard button: Can't find field \"text\""],
    [{ text: "a", callback_data: "я".repeat(33) }, "BUTTON_DATA_INVALID"],
    [{ text: "a", callback_data: "" }, "BUTTON_DATA_INVALID"],
    [{ text: "a", url: "localhost" }, "inline keyboard button URL 'localhost' is invalid: Wrong HTTP URL"],
    [{ text: " ", url: "ya.ru" }, "inline keyboard button text must be non-empty"],
    [{ text: "a", copy_text: { text: "" } }, "BUTTON_COPY_TEXT_INVALID"],
    [
      { text: "a", url: "ya.ru", style: "pink" },
      "can't parse inline keyboard button: Invalid button style specified",
    ],
  ])("the button %j is refused", async (button, reason) => {
    const answer = await telegram.call("sendMessage", {
      chat_id: channelId,
      text: "a",
      reply_markup: { inline_keyboard: [[button]] },
    });
    expect(answer).toEqual(refused(reason));
  });

  test("length is counted in characters after parsing: 4096 emoji in bold fit", async () => {
    const text = `<b>${"🔥".repeat(4096)}</b>`;
    const { ok, result } = await telegram.call("sendMessage", {
      chat_id: channelId,
      text,
      parse_mode: "HTML",
    });
    expect(ok).toBe(true);
    expect(result.entities).toEqual([{ type: "bold", offset: 0, length: 8192 }]);
  });

  test("callback data of 64 bytes fits", async () => {
    const reply_markup = { inline_keyboard: [[{ text: "a", callback_data: "я".repeat(32) }]] };
    expect(await telegram.call("sendMessage", { chat_id: channelId, text: "a", reply_markup })).toMatchObject(
      { ok: true },
    );
  });

  test("a topic of a forum takes a message, any other thread is not found", async () => {
    const id = -1005550003000;
    await telegram.twins.control("POST", "/telegram/chats", {
      id,
      type: "supergroup",
      title: "Форум",
      members: [{ bot: "shop_bot" }],
      topics: [7],
    });
    const { result } = await telegram.call("sendMessage", { chat_id: id, text: "a", message_thread_id: 7 });
    expect(result).toMatchObject({ message_thread_id: 7, is_topic_message: true, chat: { is_forum: true } });
    for (const [chat_id, message_thread_id] of [
      [id, 8],
      [channelId, 7],
    ])
      expect(await telegram.call("sendMessage", { chat_id, text: "a", message_thread_id })).toEqual(
        refused("message thread not found"),
      );
  });

  test("a reply names the message it answers, and a missing one may be forgiven", async () => {
    const { result: first } = await telegram.call("sendMessage", { chat_id: groupId, text: "Вопрос" });
    const reply_parameters = { message_id: first.message_id };
    const { result } = await telegram.call("sendMessage", {
      chat_id: groupId,
      text: "Ответ",
      reply_parameters,
    });
    expect(result.reply_to_message).toMatchObject({ text: "Вопрос" });
    const forgiving = { message_id: 99_999, allow_sending_without_reply: true };
    const lenient = await telegram.call("sendMessage", {
      chat_id: groupId,
      text: "a",
      reply_parameters: forgiving,
    });
    expect(lenient.ok).toBe(true);
  });
});

describe("who may call", () => {
  test.each([
    [`1001:${"C".repeat(35)}`, 401, "Unauthorized"],
    ["nonsense", 401, "Unauthorized: invalid token specified"],
  ])("the token %s is answered with its own refusal", async (token, error_code, description) => {
    expect(await telegram.call("getMe", {}, token)).toEqual({ ok: false, error_code, description });
  });

  test("an unknown method and an unknown path are not found", async () => {
    expect(await telegram.call("sendSomething")).toEqual({
      ok: false,
      error_code: 404,
      description: "Not Found: method not found",
    });
    const response = await fetch(`${telegram.twins.url}/telegram/elsewhere`);
    expect(await response.json()).toEqual({ ok: false, error_code: 404, description: "Not Found" });
  });

  test("a body that is no JSON object is refused in the provider's envelope", async () => {
    const response = await fetch(`${telegram.twins.url}/telegram/bot${botToken}/getMe`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect(await response.json()).toEqual(refused("can't parse JSON object"));
  });

  test("getMe tells who the bot is", async () => {
    expect((await telegram.call("getMe")).result).toMatchObject({
      id: 1001,
      is_bot: true,
      username: "shop_bot",
    });
  });
});

describe("where a bot may write", () => {
  const text = "Привет";
  const patch = (id: number, change: unknown) =>
    telegram.twins.control("PATCH", `/telegram/chats/${id}`, change);

  test("a bot that is not in the chat is refused", async () => {
    const answer = await telegram.call("sendMessage", { chat_id: channelId, text }, otherToken);
    expect(answer).toEqual({
      ok: false,
      error_code: 403,
      description: "Forbidden: bot is not a member of the channel chat",
    });
    const toPerson = await telegram.call("sendMessage", { chat_id: personId, text }, otherToken);
    expect(toPerson.description).toBe("Forbidden: bot can't initiate conversation with a user");
  });

  test("posting to a channel needs an administrator who may post", async () => {
    await patch(channelId, {
      members: [{ bot: "other_bot", status: "administrator", can_post_messages: false }],
    });
    const answer = await telegram.call("sendMessage", { chat_id: channelId, text }, otherToken);
    expect(answer).toEqual(refused("need administrator rights in the channel chat"));
    await patch(channelId, { members: [{ bot: "other_bot", can_post_messages: true }] });
    expect((await telegram.call("sendMessage", { chat_id: channelId, text }, otherToken)).ok).toBe(true);
  });

  test("a bot that was kicked or blocked is refused until that ends", async () => {
    await patch(groupId, { kick: "shop_bot" });
    const kicked = await telegram.call("sendMessage", { chat_id: groupId, text });
    expect(kicked.description).toBe("Forbidden: bot was kicked from the supergroup chat");
    await patch(groupId, { members: [{ bot: "shop_bot", status: "member" }] });
    expect((await telegram.call("sendMessage", { chat_id: groupId, text })).ok).toBe(true);

    await patch(personId, { block: true });
    const blocked = await telegram.call("sendMessage", { chat_id: personId, text });
    expect(blocked.description).toBe("Forbidden: bot was blocked by the user");
    await patch(personId, { block: false });
    expect((await telegram.call("sendMessage", { chat_id: personId, text })).ok).toBe(true);
  });

  test("a restricted member lacks the rights that were taken", async () => {
    await patch(groupId, { members: [{ bot: "shop_bot", status: "restricted", can_send_messages: false }] });
    const answer = await telegram.call("sendMessage", { chat_id: groupId, text });
    expect(answer).toEqual(refused("not enough rights to send text messages to the chat"));
    await patch(groupId, { members: [{ bot: "shop_bot", status: "member" }] });
  });

  test("a group that became a supergroup names its new id", async () => {
    await telegram.twins.control("POST", "/telegram/chats", {
      id: -4567,
      type: "group",
      title: "Группа",
      members: [{ bot: "shop_bot" }],
    });
    await patch(-4567, { migrate_to: -1005554443332 });
    expect(await telegram.call("sendMessage", { chat_id: -4567, text })).toEqual({
      ...refused("group chat was upgraded to a supergroup chat"),
      parameters: { migrate_to_chat_id: -1005554443332 },
    });
    expect((await telegram.call("sendMessage", { chat_id: -1005554443332, text })).ok).toBe(true);
  });

  test("a person who deleted the account gets nothing", async () => {
    await patch(personId, { deactivated: true });
    const answer = await telegram.call("sendMessage", { chat_id: personId, text });
    expect(answer.description).toBe("Forbidden: user is deactivated");
    await patch(personId, { deactivated: false });
  });

  test("members and administrators can be asked for", async () => {
    const { result } = await telegram.call("getChatMember", { chat_id: channelId, user_id: 1001 });
    expect(result).toMatchObject({ status: "administrator", can_post_messages: true, user: { id: 1001 } });
    const admins = await telegram.call<unknown[]>("getChatAdministrators", { chat_id: channelId });
    expect(admins.result.length).toBeGreaterThan(0);
    expect(await telegram.call("getChatMember", { chat_id: channelId, user_id: 5 })).toEqual(
      refused("user not found"),
    );
    expect((await telegram.call("getChat", { chat_id: "@shop_news" })).result).toMatchObject({
      id: channelId,
      type: "channel",
    });
  });

  test("sendChatAction knows its actions", async () => {
    expect((await telegram.call("sendChatAction", { chat_id: personId, action: "typing" })).result).toBe(
      true,
    );
    const wrong = await telegram.call("sendChatAction", { chat_id: personId, action: "dancing" });
    expect(wrong).toEqual(refused("wrong parameter action in request"));
  });

  test("commands are kept", async () => {
    const commands = [{ command: "start", description: "Начать" }];
    expect((await telegram.call("setMyCommands", { commands })).result).toBe(true);
    expect((await telegram.call("getMyCommands")).result).toEqual(commands);
    const wrong = await telegram.call("setMyCommands", {
      commands: [{ command: "Старт", description: "a" }],
    });
    expect(wrong).toEqual(refused("BOT_COMMAND_INVALID"));
  });
});
