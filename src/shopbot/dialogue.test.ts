import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import { eventually } from "../../tests/support/until.ts";
import { type RunningTwins, startTwins } from "../../twins/index.ts";
import { type ShopHarness, startShopHarness } from "./testing/harness.ts";
import { movedClock } from "./testing/moved-clock.ts";

let twins: RunningTwins;
let shop: ShopHarness;
const clock = movedClock();

beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  shop = await startShopHarness(await testDatabase(), { twinsUrl: twins.url, clock });
});
afterAll(async () => {
  await shop.stop();
  await twins.close();
});

/** What the bot answers to these words, in a dialogue of its own that has just been opened. */
async function answerTo(chatId: string, text: string): Promise<string> {
  const before = (await shop.said(chatId)).length;
  await shop.say(chatId, text);
  const said = await eventually(
    () => shop.said(chatId),
    (seen) => seen.length > before,
  );
  return said.at(-1) ?? "";
}

async function aDialogue(): Promise<string> {
  const chatId = await shop.open();
  await eventually(
    () => shop.said(chatId),
    (seen) => seen.length === 1,
  );
  return chatId;
}

describe("a customer in MAX", () => {
  it("is greeted by name when the bot is started", async () => {
    const chatId = await aDialogue();
    expect(await shop.said(chatId)).toEqual([expect.stringContaining("Здравствуйте, Ирина!")]);
  });

  // covers autoposting: Point 39
  // covers shopbot: Bot responses go through the same MAX adapter; Logs of outbound messages carry trace_id and idempotency_key
  it.each([
    ["delivery", "Сколько идёт ДОСТАВКА?", "Курьером по Москве"],
    ["payment", "Выставите счет на организацию", "по счёту"],
    ["returns", "хочу вернуть чайник", "номер заказа"],
    ["warranty", "что с гарантией", "гарантия производителя"],
    ["contacts", "ваш телефон?", "8 800 100-20-30"],
  ])("asks about %s and is answered by its rule", async (rule, question, answer) => {
    const chatId = await aDialogue();
    expect(await answerTo(chatId, question)).toContain(answer);
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({
      matched_rule_id: rule,
      rule_version: 1,
      result: "ok",
      action: "bot_engine_processed",
      meta: {
        trace_id: expect.any(String),
        idempotency_key: expect.any(String),
        adapter: { platform: "max", method: "sendText" },
      },
    });
  });

  // covers autoposting: Point 39
  // covers shopbot: Without a match: fallback or escalation, by configuration
  it("asks something unknown and is offered what the bot knows; the log has no rule", async () => {
    const chatId = await aDialogue();
    expect(await answerTo(chatId, "абракадабра")).toContain(
      "доставка, оплата, возврат, гарантия или контакты",
    );
    expect(
      (await shop.messages(chatId))
        .at(-1)
        ?.buttons.flat()
        .map(({ text }) => text),
    ).toContain("Доставка");
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({
      matched_rule_id: null,
      rule_version: null,
      outcome: "fallback",
      state_after: "default",
    });
  });

  // covers autoposting: Point 40
  // covers shopbot: One multi-step scenario: returns
  it("returns goods: order number, reason, instructions with both", async () => {
    const chatId = await aDialogue();
    await answerTo(chatId, "Как оформить возврат?");
    expect(await answerTo(chatId, "мой заказ № 48151")).toContain("Записал заказ 48151");
    const instructions = await answerTo(chatId, "не подошёл цвет");
    expect(instructions).toContain("Возврат по заказу 48151, причина: не подошёл цвет");
    const steps = (await shop.logs(chatId)).map(({ state_before, state_after }) => [
      state_before,
      state_after,
    ]);
    expect(steps.slice(1)).toEqual([
      ["default", "returns_order"],
      ["returns_order", "returns_reason"],
      ["returns_reason", "default"],
    ]);
    expect(await answerTo(chatId, "не подошёл цвет")).toContain("понял не всё");
  });

  // covers shopbot: One multi-step scenario: returns
  it("gives no order number and is asked again, with a way out", async () => {
    const chatId = await aDialogue();
    await answerTo(chatId, "возврат");
    expect(await answerTo(chatId, "не помню")).toContain("Не нашёл в сообщении номера заказа");
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({
      outcome: "refused",
      state_after: "returns_order",
    });
    const before = (await shop.said(chatId)).length;
    await shop.press(chatId, "Отменить возврат");
    const said = await eventually(
      () => shop.said(chatId),
      (seen) => seen.length > before,
    );
    expect(said.at(-1)).toContain("остановимся");
    expect((await shop.logs(chatId)).at(-1)?.state_after).toBe("default");
  });

  // covers autoposting: Point 40
  // covers shopbot: State timeout
  it("comes back after half an hour in the middle of a return, and begins again", async () => {
    const chatId = await aDialogue();
    await answerTo(chatId, "возврат");
    clock.advance(31);
    expect(await answerTo(chatId, "48151")).toContain("начнём сначала");
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({
      state_before: "default",
      state_after: "default",
    });
    expect(await answerTo(chatId, "возврат")).toContain("номер заказа");
  });

  // covers autoposting: Point 40
  // covers shopbot: Turn guard
  it("goes round in circles and is passed to a person at the fifth turn; the state is reset", async () => {
    const chatId = await aDialogue();
    await answerTo(chatId, "возврат");
    for (const words of ["не знаю", "честно", "ну нет его"])
      expect(await answerTo(chatId, words)).toContain("Не нашёл");
    expect(await answerTo(chatId, "что делать")).toContain("позвать его в этот чат я не могу");
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({
      outcome: "escalated",
      state_before: "returns_order",
      state_after: "default",
      matched_rule_id: "returns_order",
      rule_version: 1,
    });
    expect(await answerTo(chatId, "доставка")).toContain("Курьером");
  });

  // covers shopbot: Without a match: fallback or escalation, by configuration
  it("misses three times in a row and is passed to a person", async () => {
    const chatId = await aDialogue();
    for (const words of ["раз", "два"]) expect(await answerTo(chatId, words)).toContain("понял не всё");
    expect(await answerTo(chatId, "🌼")).toContain("нужен человек");
  });

  it("taps a button: the tap is answered, the rule speaks, typing is not shown in vain", async () => {
    const chatId = await aDialogue();
    const callback = await shop.press(chatId, "Оплата");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.some((text) => text.includes("картой или через СБП")),
    );
    const { answers } = await shop.control("GET", `/max/callbacks/${callback}`);
    expect(answers).toEqual([{ notification: "Минутку…", edited: false }]);
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({
      message_text: "▸ Оплата",
      matched_rule_id: "payment",
    });
  });

  it("taps twice in a moment and is answered once; both taps are acknowledged", async () => {
    const chatId = await aDialogue();
    const first = await shop.press(chatId, "Доставка");
    const second = await shop.press(chatId, "Доставка");
    for (const callback of [first, second])
      await eventually(
        () => shop.control("GET", `/max/callbacks/${callback}`),
        ({ answers }) => answers.length === 1,
      );
    await eventually(
      () => shop.logs(chatId),
      (seen) => seen.length === 3,
    );
    expect((await shop.said(chatId)).filter((text) => text.includes("Курьером"))).toHaveLength(1);
  });

  // covers shopbot: Bad input
  it("taps something nobody offered: is told so, and the tap is answered", async () => {
    const chatId = await aDialogue();
    const [menu] = await shop.messages(chatId);
    const press = (payload: string) =>
      shop.deliver({
        update_type: "message_callback",
        timestamp: Date.now(),
        callback: {
          callback_id: `cb-${payload.length}`,
          payload,
          timestamp: Date.now(),
          user: { user_id: 42, first_name: "Ирина", is_bot: false },
        },
        message: {
          recipient: { chat_id: Number(chatId), chat_type: "dialog" },
          timestamp: Date.now(),
          body: { mid: menu?.id, seq: 1, text: "?", attachments: [] },
        },
      });
    for (const payload of ["rule:nobody", "'; drop table shopbot.bots; --"]) await press(payload);
    const logs = await eventually(
      () => shop.logs(chatId),
      (seen) => seen.length === 3,
    );
    expect(logs.slice(1)).toMatchObject([
      { outcome: "fallback", matched_rule_id: null },
      { outcome: "fallback", matched_rule_id: null },
    ]);
  });

  // covers shopbot: Bad input
  it("sends only emoji, signs, or nothing that can be read, and is asked what it is about", async () => {
    const chatId = await aDialogue();
    expect(await answerTo(chatId, "🌼🌼🌼")).toContain("понял не всё");
    expect(await answerTo(chatId, "%_%")).toContain("понял не всё");
  });

  // covers shopbot: Bad input
  it("asks to cancel an order and gets a person, not a promise", async () => {
    const chatId = await aDialogue();
    // Nobody can take the chat over here, so nobody is promised.
    expect(await answerTo(chatId, "Хочу отменить заказ 48151")).toContain("Позвоните, пожалуйста");
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({
      outcome: "escalated",
      matched_rule_id: "cancel_order",
    });
  });

  it("sends a photo alone and is told what the bot can do with it", async () => {
    const chatId = await aDialogue();
    const photo = `data:image/png;base64,${onePixel}`;
    await shop.control("POST", `/max/chats/${chatId}/say`, { photo });
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.some((text) => text.includes("понимаю только текст")),
    );
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({
      message_text: "[фото]",
      matched_rule_id: "photo",
    });
  });

  it("sees that the bot is typing before an answer to words, while the bot has few to answer", async () => {
    // What was said a minute ago keeps nobody from typing.
    clock.advance(1);
    const chatId = await aDialogue();
    await answerTo(chatId, "доставка");
    const { entries } = await shop.control("GET", `/journal?provider=max&bot=${shop.botName}&limit=200`);
    const calls = entries
      .filter((entry: { chat?: string }) => entry.chat === chatId)
      .map((entry: { method: string }) => entry.method);
    expect(calls.slice(-2)).toEqual(["POST /chats/:chatId/actions", "POST /messages"]);
  });
});

const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
