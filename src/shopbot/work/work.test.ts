import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { eventually } from "../../../tests/support/until.ts";
import { type FaultKind, type RunningTwins, startTwins } from "../../../twins/index.ts";
import { png } from "../../../twins/telegram/testing.ts";
import { openMediaHarness } from "../../delivery/media/testing/media-harness.ts";
import { startOriginServer } from "../../delivery/media/testing/origin-server.ts";
import { type HarnessOptions, type ShopHarness, startShopHarness } from "../testing/harness.ts";
import { movedClock } from "../testing/moved-clock.ts";
import { createShopBot } from "./shop-bot.ts";

let twins: RunningTwins;
let shop: ShopHarness;
let clock: ReturnType<typeof movedClock>;

beforeEach(async () => {
  clock = movedClock();
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
});
afterEach(async () => {
  await shop.stop();
  await twins.close();
});

async function aShop(options: Partial<HarnessOptions> = {}): Promise<void> {
  shop = await startShopHarness(await testDatabase(), { twinsUrl: twins.url, clock, ...options });
}

/** A shop whose rules may show files of `origin`. */
async function aShopWithFiles() {
  const [origin, database] = [await startOriginServer(), await testDatabase()];
  const files = openMediaHarness(database.sql, { folder: tempFolder("shop"), allowHosts: [origin.host] });
  shop = await startShopHarness(database, { twinsUrl: twins.url, clock, media: files.process() });
  return {
    origin,
    async close() {
      await files.close();
      await origin.close();
    },
  };
}

const echo = `
bot: { title: Магазин, flood: { burst: 1000, per_minute: 6000 } }
rules: [{ id: echo, keywords: [вопрос], answer: "Отвечаю на {{ said }}" }]
`;

const outbox = (chatId: string) => shop.sql`
  select * from shopbot.bot_outbox where workspace_id = ${shop.workspaceId} and chat_id = ${chatId} order by seq`;

const fault = (kind: FaultKind, given: { chat?: string; method?: string; times?: number } = {}) =>
  shop.control("POST", "/faults", {
    provider: "max",
    method: "POST /messages",
    times: 1,
    ...given,
    fault: kind,
  });

/** A greeted customer. */
async function aDialogue(): Promise<string> {
  const chatId = await shop.open();
  await eventually(
    () => shop.said(chatId),
    (seen) => seen.length === 1,
  );
  return chatId;
}

const answered = (chatId: string, count: number) =>
  eventually(
    () => shop.said(chatId),
    (seen) => seen.length >= count,
  );

describe("one answer per inbound message", () => {
  // covers autoposting: Point 38
  // covers shopbot: A duplicate reaches neither engine nor customer
  it("an update that comes twice leaves one inbox row, one answer, one log", async () => {
    await aShop();
    const chatId = await aDialogue();
    await shop.control("PATCH", "/max/options", { duplicate_updates: 1 });
    await shop.say(chatId, "доставка");
    await answered(chatId, 2);
    await shop.bot.stop();
    expect(await shop.said(chatId)).toHaveLength(2);
    expect(await shop.logs(chatId)).toHaveLength(2);
    expect(await outbox(chatId)).toHaveLength(2);
  });

  // covers shopbot: What is answered already is not answered again
  it("a message that has an answer in the outbox is not answered again", async () => {
    await aShop({ start: false });
    const chatId = "901";
    await shop.sql`
      insert into shopbot.bot_outbox (workspace_id, chat_id, inbound_provider_message_id, kind, text, response_hash, trace_id,
        status, sent_at)
      values (${shop.workspaceId}, ${chatId}, 'm-1', 'reply', 'уже', 'hash', 't', 'sent', now())`;
    await shop.deliver({ provider: "max", chat_id: chatId, provider_message_id: "m-1", text: "доставка" });
    await shop.bot.start();
    await eventually(
      () => shop.logs(chatId),
      (seen) => seen.length === 1,
    );
    expect((await outbox(chatId)).map(({ text }) => text)).toEqual(["уже"]);
  });

  // covers shopbot: Outbox dedup before sending
  it("the outbox row is committed before the messenger is called, with the hash of the reply", async () => {
    await aShop();
    const chatId = await aDialogue();
    await fault({ kind: "hang" }, { chat: chatId });
    await shop.say(chatId, "доставка");
    const [, row] = await eventually(
      () => outbox(chatId),
      (seen) => seen[1]?.status === "sending",
    );
    expect(row).toMatchObject({
      response_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      sent_at: null,
      attempt: 1,
    });
    expect(await shop.said(chatId)).toHaveLength(1);
  });

  // covers shopbot: Outbox dedup before sending
  it("statuses go only the way they may", async () => {
    await aShop();
    const chatId = await aDialogue();
    await eventually(
      () => outbox(chatId),
      (seen) => seen[0]?.status === "sent",
    );
    await expect(
      shop.sql`update shopbot.bot_outbox set status = 'waiting', sent_at = null where chat_id = ${chatId}`,
    ).rejects.toThrow("a reply cannot go from sent to waiting");
  });
});

describe("order", () => {
  // covers shopbot: Order within a chat
  it("is kept within a chat while four bots work on forty chats at once", async () => {
    await aShop({ start: false });
    const chats = Array.from({ length: 40 }, (_, index) => String(7_000 + index));
    const questions = ["возврат", "не помню", "12345", "не подошёл", "доставка", "оплата"];
    for (const [index, text] of questions.entries())
      await Promise.all(
        chats.map((chat_id) =>
          shop.deliver({ provider: "max", chat_id, provider_message_id: `m-${index}`, text }),
        ),
      );
    const others = Array.from({ length: 3 }, () => createShopBot(shop.deps));
    await Promise.all([shop.bot, ...others].map((bot) => bot.start()));
    const rules = ["returns", "returns_order", "returns_order", "returns_reason", "delivery", "payment"];
    for (const chatId of chats) {
      const logs = await eventually(
        () => shop.logs(chatId),
        (seen) => seen.length === questions.length,
      );
      expect(logs.map(({ matched_rule_id }) => matched_rule_id)).toEqual(rules);
    }
    await Promise.all(others.map((bot) => bot.stop()));
  });

  // covers shopbot: Order within a chat
  it("is that of acceptance, while messages come through two servers whose clocks disagree and four bots answer", async () => {
    await aShop({ start: false });
    await shop.apply(echo);
    const late = movedClock();
    late.advance(-10);
    const doors = [shop, await shop.anotherServer(late)];
    const bots = [shop.bot, ...Array.from({ length: 3 }, () => createShopBot(shop.deps))];
    await Promise.all(bots.map((bot) => bot.start()));
    const chats = Array.from({ length: 20 }, (_, index) => String(8_000 + index));
    const numbers = Array.from({ length: 12 }, (_, index) => `вопрос ${index}`);
    await Promise.all(
      chats.map(async (chat_id) => {
        for (const [index, text] of numbers.entries())
          await doors[index % 2]?.deliver({ provider: "max", chat_id, provider_message_id: text, text });
      }),
    );
    for (const chatId of chats) {
      const rows = await eventually(
        () => outbox(chatId),
        (seen) => seen.length === numbers.length,
      );
      expect(rows.map(({ text }) => text)).toEqual(numbers.map((text) => `Отвечаю на ${text}`));
      expect((await shop.logs(chatId)).map(({ message_text }) => message_text)).toEqual(numbers);
    }
    await Promise.all(bots.slice(1).map((bot) => bot.stop()));
    await doors[1]?.stop();
  });

  // covers shopbot: Order within a chat
  it("of messages posted at once is the one in which they were accepted, and nobody finds a later one first", async () => {
    await aShop({ start: false });
    await shop.apply(echo);
    const other = await shop.anotherServer(clock);
    const bots = [shop.bot, createShopBot(shop.deps)];
    await Promise.all(bots.map((bot) => bot.start()));
    const chatId = "8100";
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        [shop, other][index % 2]?.deliver({ provider: "max", chat_id: chatId, text: `вопрос ${index}` }),
      ),
    );
    const logs = await eventually(
      () => shop.logs(chatId),
      (seen) => seen.length === 60,
    );
    const accepted = await shop.sql<{ text: string }[]>`
      select body ->> 'text' as text from shopbot.bot_inbox where chat_id = ${chatId} order by seq`;
    expect(logs.map(({ message_text }) => message_text)).toEqual(accepted.map(({ text }) => text));
    await bots[1]?.stop();
    await other.stop();
  });

  // covers shopbot: Order within a chat
  it("messages that arrive out of order are answered by the provider's time and number, as far as they wait", async () => {
    await aShop({ start: false });
    const at = (timestamp: number, mid: string, text: string, seq = 1) => ({
      update_type: "message_created",
      timestamp,
      message: {
        sender: { user_id: 1, first_name: "Я", is_bot: false },
        recipient: { chat_id: 31, chat_type: "dialog" },
        timestamp,
        body: { mid, seq, text },
      },
    });
    await shop.deliver(at(2_000, "mid.4", "не подошёл", 2 ** 56 + 1024));
    await shop.deliver(at(2_000, "mid.2", "12345", 2 ** 56));
    await shop.deliver(at(1_000, "mid.1", "возврат"));
    await shop.bot.start();
    const logs = await eventually(
      () => shop.logs("31"),
      (seen) => seen.length === 3,
    );
    expect(logs.map(({ message_text }) => message_text)).toEqual(["возврат", "12345", "не подошёл"]);
  });

  // covers shopbot: Order within a chat
  it("a reply waits until the one before it has arrived", async () => {
    await aShop();
    const chatId = await aDialogue();
    await fault({ kind: "status", status: 503 }, { chat: chatId });
    await shop.say(chatId, "доставка");
    await shop.say(chatId, "телефон");
    clock.advance(1);
    const said = await answered(chatId, 3);
    expect(said[1]).toContain("Курьером");
    expect(said[2]).toContain("Контакты");
  });
});

describe("a messenger that fails", () => {
  it.each<[string, FaultKind]>([
    ["with 503", { kind: "status", status: 503 }],
    ["with 429 and a wait", { kind: "status", status: 429, retryAfter: 1 }],
    ["by dropping the connection before the work", { kind: "drop_before" }],
    ["by losing the answer", { kind: "drop_after" }],
    ["by answering something else than JSON", { kind: "malformed" }],
  ])("%s: the customer gets the answer once", async (_name, kind) => {
    await aShop();
    const chatId = await aDialogue();
    await fault(kind, { chat: chatId });
    await shop.say(chatId, "доставка");
    const rows = await eventually(
      () => outbox(chatId),
      (seen) => seen[1]?.status === "sent",
    );
    expect(rows[1]?.attempt).toBe(2);
    expect((await shop.said(chatId)).filter((text) => text.includes("Курьером"))).toHaveLength(1);
  });

  it("and an equal answer that is in the chat already is not mistaken for the lost one", async () => {
    await aShop();
    const chatId = await aDialogue();
    await shop.say(chatId, "доставка");
    await answered(chatId, 2);
    await fault({ kind: "hang" }, { chat: chatId });
    await shop.bot.stop();
    await shop.say(chatId, "доставка");
    // As a process that died before its request left: taken, never ended.
    await shop.bot.start();
    await eventually(
      () => outbox(chatId),
      (seen) => seen[2]?.status === "sending",
    );
    const rows = await eventually(
      () => outbox(chatId),
      (seen) => seen[2]?.status === "sent",
    );
    expect(rows[2]?.provider_message_id).not.toBe(rows[1]?.provider_message_id);
    expect((await shop.said(chatId)).filter((text) => text.includes("Курьером"))).toHaveLength(2);
  });

  it("for good: the reply ends, the log says why, and the chat goes on", async () => {
    await aShop();
    const chatId = await aDialogue();
    await fault({ kind: "status", status: 403 }, { chat: chatId });
    await shop.say(chatId, "доставка");
    const rows = await eventually(
      () => outbox(chatId),
      (seen) => seen[1]?.status === "failed",
    );
    expect(rows[1]?.last_error).toMatchObject({ category: "PERMANENT", code: "channel_unavailable" });
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({
      result: "error",
      meta: { send_error: { code: "channel_unavailable" } },
    });
    await shop.say(chatId, "телефон");
    expect((await answered(chatId, 2)).at(-1)).toContain("Контакты");
  });

  it("when only typing and the answer to a tap fail, the reply still comes", async () => {
    await aShop();
    const chatId = await aDialogue();
    await fault({ kind: "status", status: 500 }, { method: "POST /chats/:chatId/actions", times: 5 });
    await fault({ kind: "drop_before" }, { method: "POST /answers", times: 5 });
    await shop.say(chatId, "доставка");
    await answered(chatId, 2);
    await shop.press(chatId, "Оплата");
    expect((await answered(chatId, 3)).at(-1)).toContain("СБП");
  });

  it("without a token the reply ends in words that say what to do", async () => {
    await aShop();
    await shop.sql`delete from workspaces.credential_bindings where auth_ref = 'shop-bot'`;
    const chatId = await shop.open();
    const rows = await eventually(
      () => outbox(chatId),
      (seen) => seen[0]?.status === "failed",
    );
    expect(rows[0]?.last_error).toMatchObject({ code: "missing_credential" });
  });
});

describe("rates", () => {
  it("of the messenger are kept: two a second in a chat, and what the bot may ask for in all", async () => {
    await twins.close();
    twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: true });
    await aShop();
    await shop.sql`update shopbot.bots set rate_rps = 25, chat_rps = 2`;
    const chatId = await aDialogue();
    for (const text of ["доставка", "оплата", "телефон"]) await shop.say(chatId, text);
    await answered(chatId, 4);
    const { entries } = await shop.control("GET", `/journal?provider=max&bot=${shop.botName}&limit=200`);
    expect(entries.filter(({ status }: { status: number }) => status === 429)).toEqual([]);
  });

  // covers shopbot: Bad input
  it("of a chat that floods: it is told once, its words are kept, and it is answered again later", async () => {
    await aShop({ start: false });
    const chatId = "555";
    for (let index = 0; index < 14; index += 1)
      await shop.deliver({
        provider: "max",
        chat_id: chatId,
        provider_message_id: `f-${index}`,
        text: "спасибо",
      });
    await shop.bot.start();
    const logs = await eventually(
      () => shop.logs(chatId),
      (seen) => seen.length === 14,
    );
    expect(logs.filter(({ action }) => action === "bot_flood_dropped")).toHaveLength(4);
    expect(
      (await outbox(chatId)).filter(({ text }) => text.includes("слишком много, я не успеваю")),
    ).toHaveLength(1);
    clock.advance(2);
    await shop.deliver({ provider: "max", chat_id: chatId, provider_message_id: "later", text: "спасибо" });
    const later = await eventually(
      () => shop.logs(chatId),
      (seen) => seen.length === 15,
    );
    expect(later.at(-1)).toMatchObject({ outcome: "answered", matched_rule_id: "thanks" });
  });
});

describe("a message that cannot be worked on", () => {
  it("is put aside after three tries, on record, and holds up neither its chat nor the others", async () => {
    await aShop({ start: false });
    await shop.deliver({ provider: "max", chat_id: "1", provider_message_id: "bad", text: "доставка" });
    await shop.deliver({ provider: "max", chat_id: "1", provider_message_id: "good", text: "оплата" });
    await shop.deliver({ provider: "max", chat_id: "2", provider_message_id: "other", text: "оплата" });
    await shop.sql`update shopbot.bot_inbox set body = '{"kind": "nonsense"}' where provider_message_id = 'bad'`;
    await shop.bot.start();
    const logs = await eventually(
      () => shop.logs("1"),
      (seen) => seen.length === 2,
    );
    // The chats are unknown to the messenger, so an answer's own result becomes an error as soon as it is sent.
    expect(logs.map(({ outcome }) => outcome)).toEqual(["failed", "answered"]);
    expect(logs[0]?.result).toBe("error");
    await eventually(
      () => shop.logs("2"),
      (seen) => seen.length === 1,
    );
  });
});

it("messages that came while nobody was there are answered at the start", async () => {
  await aShop({ start: false });
  const chatId = await shop.open();
  await shop.say(chatId, "доставка");
  await eventually(
    async () => shop.sql`select from shopbot.bot_inbox where chat_id = ${chatId}`,
    (seen) => seen.length === 2,
  );
  await shop.bot.start();
  expect((await answered(chatId, 2)).at(-1)).toContain("Курьером");
});

// covers shopbot: Bot responses go through the same MAX adapter
it("a picture in a rule is sent by sendMedia and is in the chat", async () => {
  const { origin, close } = await aShopWithFiles();
  await shop.apply(`
bot: { title: Магазин }
rules:
  - id: map
    keywords: [карта]
    answer: Мы здесь
    media: [{ type: photo, url: "${origin.serve("/city.png", png(320, 240), { "content-type": "image/png" })}" }]
`);
  const chatId = await aDialogue();
  await shop.say(chatId, "карта");
  const logs = await eventually(
    () => shop.logs(chatId),
    (seen) => seen.length === 2,
  );
  expect(logs.at(-1)?.meta).toMatchObject({ adapter: { method: "sendMedia" } });
  const seen = await eventually(
    () => shop.messages(chatId),
    (messages) => messages.some(({ text }) => text === "Мы здесь"),
  );
  expect(seen.find(({ text }) => text === "Мы здесь")?.media).toMatchObject([{ kind: "photo" }]);
  const rows = await eventually(
    () => outbox(chatId),
    (found) => found[1]?.status === "sent",
  );
  expect(rows[1]?.last_error).toBeNull();
  await close();
});

it("a picture that is nowhere to be had is told in the document's words, and the talk goes on", async () => {
  const { origin, close } = await aShopWithFiles();
  await shop.apply(`
bot: { title: Магазин }
rules:
  - id: map
    keywords: [карта]
    answer: Мы здесь
    media: [{ type: photo, url: "${origin.url}/nowhere.png" }]
  - id: hours
    keywords: [часы]
    answer: С девяти до девяти
`);
  const chatId = await aDialogue();
  await shop.say(chatId, "карта");
  const rows = await eventually(
    () => outbox(chatId),
    (seen) => seen[1]?.status === "failed",
  );
  expect(rows[1]?.last_error).toMatchObject({ scope: "delivery", category: "PERMANENT" });
  await shop.say(chatId, "часы");
  await eventually(
    () => shop.said(chatId),
    (said) => said.includes("С девяти до девяти"),
  );
  await close();
});
