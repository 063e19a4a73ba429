import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import { type RunningTwins, startTwins } from "../../twins/index.ts";
import { eventually, type ShopStand, startShopStand } from "./testing/stand.ts";

let twins: RunningTwins;
let shop: ShopStand;

beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  shop = await startShopStand(await testDatabase(), { twinsUrl: twins.url });
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
});
