import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Harness, openHarness } from "./harness.ts";
import { anyDocument, aPost, photos } from "./posts.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness("telegram");
});
beforeEach(() => harness.reset());
afterAll(() => harness.close());

// covers autoposting: sendMedia; Point 42
test("a caption above its limit goes ahead of the album as a text", async () => {
  const text = "я".repeat(1025);
  expect((await harness.send(aPost({ text, media: photos(2) }))).kind).toBe("sent");
  const messages = await harness.messages();
  expect(messages.map((message) => [message.text, message.media.length])).toEqual([
    [text, 0],
    ["", 1],
    ["", 1],
  ]);
});

// covers autoposting: sendMedia
test("an album is known by its group, and each of its messages is told", async () => {
  const outcome = await harness.send(aPost({ media: photos(3) }));
  const messages = await harness.messages();
  expect(outcome).toMatchObject({
    kind: "sent",
    providerMessageId: messages[0]?.albumId,
    raw: { messages: [{ raw: { message_ids: messages.map(({ id }) => Number(id)) } }] },
  });
});

test("a group that became a supergroup is told with its new id", async () => {
  const supergroup = -1005550001000;
  await harness.control("POST", "/telegram/chats", {
    id: -555,
    type: "group",
    title: "Группа",
    members: [{ bot: "shop_bot" }],
  });
  await harness.control("PATCH", "/telegram/chats/-555", { migrate_to: supergroup });
  const channel = { ...harness.channel, targetId: "-555" };
  expect(await harness.send(aPost({ text: "а" }), { channel })).toMatchObject({
    kind: "failed",
    error: {
      category: "TRANSIENT",
      scope: "channel",
      code: "chat_migrated",
      raw: { body: { parameters: { migrate_to_chat_id: supergroup } } },
    },
  });
});

test("a post for a topic arrives in it, and one for a missing topic is an error of this post only", async () => {
  const id = -1005550002000;
  await harness.control("POST", "/telegram/chats", {
    id,
    type: "supergroup",
    title: "Форум",
    members: [{ bot: "shop_bot" }],
    topics: [7],
  });
  const inForum = async (topicId: string, media = photos(0)) => {
    const channel = { ...harness.channel, targetId: String(id) };
    return harness.send(aPost({ text: "в тему", media, options: { topicId } }), { channel });
  };
  expect((await inForum("7")).kind).toBe("sent");
  expect((await inForum("7", photos(2))).kind).toBe("sent");
  const { messages } = await harness.control("GET", `/chats/telegram/${id}/messages`);
  expect(messages.map(({ topicId }: { topicId?: string }) => topicId)).toEqual(["7", "7", "7"]);
  expect(await inForum("8")).toMatchObject({
    kind: "failed",
    error: { category: "PERMANENT", scope: "delivery", code: "telegram_bad_request" },
  });
});

test("a protected, silent answer in a chat is all of that", async () => {
  const first = await harness.send(aPost({ text: "раз" }));
  const replyTo = first.kind === "sent" ? first.providerMessageId : "";
  await harness.send(aPost({ text: "два", options: { replyTo, silent: true, protected: true } }));
  expect((await harness.messages()).at(-1)).toMatchObject({
    silent: true,
    protected: true,
    replyTo: { id: replyTo },
  });
});

test("Telegram takes our entities as they are", async () => {
  await fc.assert(
    fc.asyncProperty(anyDocument, async (document) => {
      const result = harness.platform.compile({ ...aPost(), document, format: "html" }, harness.channel);
      if (!result.ok) return;
      await harness.reset();
      const outcome = await harness.platform.send(result.compiled, harness.context());
      expect(outcome.kind).toBe("sent");
      expect((await harness.messages())[0]?.text).toBe(result.compiled.plainText);
    }),
    { numRuns: 40 },
  );
});
