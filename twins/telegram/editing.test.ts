import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testClock } from "../shared/testing.ts";
import { channelId, groupId, otherToken, pngFile, startTelegram, type TestTelegram } from "./testing.ts";

const clock = testClock();
let telegram: TestTelegram;
beforeAll(async () => {
  telegram = await startTelegram({ clock });
  await telegram.twins.control("PATCH", `/telegram/chats/${groupId}`, { members: [{ bot: "other_bot" }] });
});
afterAll(() => telegram.close());

const chat_id = channelId;
const refused = (reason: string) => ({ ok: false, error_code: 400, description: `Bad Request: ${reason}` });
const sent = async (text = "Было", chat: number = chat_id) =>
  (await telegram.call<{ message_id: number }>("sendMessage", { chat_id: chat, text })).result.message_id;
const sentPhoto = async () =>
  (await telegram.upload<{ message_id: number }>("sendPhoto", { chat_id: String(chat_id), photo: pngFile() }))
    .result.message_id;

describe("editing", () => {
  test("a text gets new words and a mark that it was edited", async () => {
    const message_id = await sent();
    clock.advance(5_000);
    const { result } = await telegram.call("editMessageText", {
      chat_id,
      message_id,
      text: "_Стало_",
      parse_mode: "Markdown",
    });
    expect(result).toMatchObject({
      text: "Стало",
      entities: [{ type: "italic" }],
      edit_date: clock.now() / 1000,
    });
  });

  test("a caption and a file get replaced", async () => {
    const message_id = await sentPhoto();
    const captioned = await telegram.call("editMessageCaption", { chat_id, message_id, caption: "Подпись" });
    expect(captioned.result.caption).toBe("Подпись");
    const { result } = await telegram.upload("editMessageMedia", {
      chat_id: String(chat_id),
      message_id: String(message_id),
      media: JSON.stringify({ type: "document", media: "attach://file", caption: "Файл" }),
      file: new File(["a"], "a.txt"),
    });
    expect(result).toMatchObject({ caption: "Файл", document: { file_name: "a.txt" } });
    expect(result.photo).toBeUndefined();
  });

  test("an edit without a keyboard takes the keyboard away", async () => {
    const reply_markup = { inline_keyboard: [[{ text: "a", callback_data: "b" }]] };
    const { result } = await telegram.call("sendMessage", { chat_id, text: "a", reply_markup });
    const { message_id } = result;
    const again = await telegram.call("editMessageReplyMarkup", { chat_id, message_id, reply_markup });
    expect(again.description).toMatch(/^Bad Request: message is not modified: /);
    const bare = await telegram.call("editMessageReplyMarkup", { chat_id, message_id });
    expect(bare.result.reply_markup).toBeUndefined();
  });

  test("the same content is not modified", async () => {
    const message_id = await sent("Тот же");
    expect(await telegram.call("editMessageText", { chat_id, message_id, text: " Тот же\n" })).toEqual(
      refused(
        "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
      ),
    );
  });

  test("what cannot be edited is refused by name", async () => {
    const text = await sent();
    const photo = await sentPhoto();
    const foreign = await sent("Чужое", groupId);
    const cases: [string, Record<string, unknown>, string, string?][] = [
      ["editMessageText", { chat_id, message_id: 99_999, text: "a" }, "message to edit not found"],
      ["editMessageText", { chat_id, text: "a" }, "message identifier is not specified"],
      [
        "editMessageText",
        { chat_id, message_id: photo, text: "a" },
        "there is no text in the message to edit",
      ],
      [
        "editMessageCaption",
        { chat_id, message_id: text, caption: "a" },
        "there is no caption in the message to edit",
      ],
      [
        "editMessageText",
        { chat_id: groupId, message_id: foreign, text: "a" },
        "message can't be edited",
        otherToken,
      ],
      ["editMessageText", { chat_id, message_id: text, text: "a".repeat(4097) }, "message is too long"],
    ];
    for (const [method, fields, reason, token] of cases) {
      expect(await telegram.call(method, fields, token)).toEqual(refused(reason));
    }
  });
});

describe("deleting", () => {
  test("a message goes, and cannot go twice", async () => {
    const message_id = await sent();
    expect((await telegram.call("deleteMessage", { chat_id, message_id })).result).toBe(true);
    const again = await telegram.call("deleteMessage", { chat_id, message_id });
    expect(again).toEqual(refused("message to delete not found"));
  });

  test("several go at once and missing ones are skipped", async () => {
    const message_ids = [await sent(), 99_999, await sent()];
    expect((await telegram.call("deleteMessages", { chat_id, message_ids })).result).toBe(true);
    const tooMany = Array.from({ length: 101 }, (_, index) => index + 1);
    const answer = await telegram.call("deleteMessages", { chat_id, message_ids: tooMany });
    expect(answer).toEqual(refused("too many message identifiers specified"));
  });

  test("after 48 hours it is too late without the right to delete", async () => {
    const [first, second] = [await sent(), await sent()];
    clock.advance(48 * 3_600_000 + 1);
    expect((await telegram.call("deleteMessage", { chat_id, message_id: first })).result).toBe(true);
    const rights = { bot: "shop_bot", status: "administrator", can_delete_messages: false };
    await telegram.twins.control("PATCH", `/telegram/chats/${chat_id}`, { members: [rights] });
    const answer = await telegram.call("deleteMessage", { chat_id, message_id: second });
    expect(answer).toEqual(refused("message can't be deleted"));
  });

  test("another's message needs the right to delete", async () => {
    const message_id = await sent("Чужое", groupId);
    const answer = await telegram.call("deleteMessage", { chat_id: groupId, message_id }, otherToken);
    expect(answer).toEqual(refused("message can't be deleted"));
  });
});

describe("copying, forwarding and pinning", () => {
  test("a copy is a new message, a forward remembers where it came from", async () => {
    const message_id = await sent("Оригинал");
    const source = { chat_id: groupId, from_chat_id: chat_id, message_id };
    expect((await telegram.call("copyMessage", source)).result).toEqual({ message_id: expect.any(Number) });
    const { result } = await telegram.call("forwardMessage", source);
    expect(result).toMatchObject({
      text: "Оригинал",
      forward_origin: { type: "channel", message_id, chat: { id: chat_id } },
    });
    expect(await telegram.call("copyMessage", { ...source, message_id: 99_999 })).toEqual(
      refused("message to copy not found"),
    );
  });

  test("a protected message stays where it is", async () => {
    const { result } = await telegram.call("sendMessage", { chat_id, text: "a", protect_content: true });
    const source = { chat_id: groupId, from_chat_id: chat_id, message_id: result.message_id };
    expect(await telegram.call("forwardMessage", source)).toEqual(refused("message can't be forwarded"));
  });

  test("a pinned message is seen in the chat, and pinning needs the right", async () => {
    const message_id = await sent("Важное");
    expect((await telegram.call("pinChatMessage", { chat_id, message_id })).result).toBe(true);
    expect((await telegram.call("getChat", { chat_id })).result.pinned_message).toMatchObject({
      text: "Важное",
    });
    const inGroup = await sent("a", groupId);
    const answer = await telegram.call("pinChatMessage", { chat_id: groupId, message_id: inGroup });
    expect(answer).toEqual(refused("not enough rights to manage pinned messages in the chat"));
  });

  test("a bot that left is no longer a member", async () => {
    expect((await telegram.call("leaveChat", { chat_id: groupId }, otherToken)).result).toBe(true);
    const answer = await telegram.call("sendMessage", { chat_id: groupId, text: "a" }, otherToken);
    expect(answer.description).toBe("Forbidden: bot is not a member of the supergroup chat");
  });
});
