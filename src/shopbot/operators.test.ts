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
  shop = await startShopHarness(await testDatabase(), { twinsUrl: twins.url, operators: true, clock });
});
afterAll(async () => {
  await shop.stop();
  await twins.close();
});

const operatorsChat = () => shop.messages(shop.operatorsChatId);

/** A customer who has asked for a person; the message in which the operators hear of it. */
async function escalated(name: string): Promise<{ chatId: string; notice: string }> {
  const chatId = await shop.open(name);
  await eventually(
    () => shop.said(chatId),
    (seen) => seen.length === 1,
  );
  await shop.say(chatId, "сколько стоит доставка?");
  await eventually(
    () => shop.said(chatId),
    (seen) => seen.length === 2,
  );
  await shop.say(chatId, "позовите оператора");
  await eventually(
    () => shop.said(chatId),
    (seen) => seen.length === 3,
  );
  const shown = await eventually(operatorsChat, (seen) =>
    seen.some(({ text }) => text.includes(`${name} ждёт`)),
  );
  return { chatId, notice: shown.find(({ text }) => text.includes(`${name} ждёт`))?.id ?? "" };
}

async function waiting(chatId: string): Promise<Date | null> {
  const [row] = await shop.sql`
    select called_at from shopbot.bot_chats where workspace_id = ${shop.workspaceId} and chat_id = ${chatId}`;
  return row?.called_at;
}

const findings = () => shop.sql<{ reason: string }[]>`
  select reason from delivery.monitor_findings(${shop.workspaceId}, p_now => ${clock.now()})`;

const answerAs = (text: string, reply_to: string) =>
  shop.control("POST", `/max/chats/${shop.operatorsChatId}/say`, {
    from: { first_name: "Олег" },
    text,
    reply_to,
  });

describe("a customer who asks for a person", () => {
  // covers shopbot: Operator hand-over
  it("is shown to the operators with the dialogue so far", async () => {
    await escalated("Анна");
    const notice = (await operatorsChat()).find(({ text }) => text.includes("Анна ждёт"));
    expect(notice?.text).toContain("Анна: сколько стоит доставка?");
    expect(notice?.text).toContain("Бот: Доставка");
    expect(notice?.text).toContain("Анна: позовите оператора");
    expect(notice?.buttons.flat().map(({ text }) => text)).toEqual(["Вернуть боту"]);
  });

  it("is shown with what was said before a very long message", async () => {
    const chatId = await shop.open("Ида");
    const lines = [
      "сколько стоит доставка?",
      `Очень длинная история. ${"абв ".repeat(850)}`,
      "позовите оператора",
    ];
    for (const [before, line] of lines.entries()) {
      await eventually(
        () => shop.said(chatId),
        (seen) => seen.length === before + 1,
      );
      await shop.say(chatId, line);
    }
    const shown = await eventually(operatorsChat, (seen) =>
      seen.some(({ text }) => text.includes("Ида ждёт")),
    );
    const notice = shown.find(({ text }) => text.includes("Ида ждёт"))?.text;
    expect(notice).toContain("Ида: сколько стоит доставка?");
    expect(notice).toContain("Ида: Очень длинная история.");
    expect(notice).toContain("Ида: позовите оператора");
  });

  // covers shopbot: Operator hand-over
  it("gets the answer of an operator who was quicker than MAX's word on the message he answers", async () => {
    const chatId = await shop.open("Игнат");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.length === 1,
    );
    await shop.control("POST", "/faults", {
      ...{ provider: "max", method: "POST /messages", chat: shop.operatorsChatId, times: 1 },
      fault: { kind: "drop_after" },
    });
    await shop.say(chatId, "позовите оператора");
    const shown = await eventually(operatorsChat, (seen) =>
      seen.some(({ text }) => text.includes("Игнат ждёт")),
    );
    await answerAs("Я здесь", shown.find(({ text }) => text.includes("Игнат ждёт"))?.id ?? "");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1) === "Я здесь",
    );
    expect((await operatorsChat()).filter(({ text }) => text.includes("Игнат ждёт"))).toHaveLength(1);
  });

  // covers shopbot: Operator hand-over
  it("hears that nobody has answered yet, and the group is reminded; an answer to the reminder arrives", async () => {
    const { chatId } = await escalated("Лев");
    clock.advance(11);
    const told = await eventually(
      () => shop.said(chatId),
      (seen) => seen.length === 4,
    );
    expect(told.at(-1)).toContain("Сотрудники пока не ответили");
    expect(told.at(-1)).toContain("8 800 100-20-30");
    const reminded = await eventually(operatorsChat, (seen) =>
      seen.some(({ text }) => text.includes("Лев ждёт ответа уже 11 минут")),
    );
    const reminder = reminded.find(({ text }) => text.includes("Лев ждёт ответа"));
    await answerAs("Простите за ожидание!", reminder?.id ?? "");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1) === "Простите за ожидание!",
    );
    expect(await waiting(chatId)).toBeNull();
    expect((await findings()).map(({ reason }) => reason)).toContain("operator_silent");
  });

  // covers shopbot: Operator hand-over
  it("is the bot's again, and is told so, when nobody came at all", async () => {
    const { chatId } = await escalated("Марк");
    clock.advance(31);
    const told = await eventually(
      () => shop.said(chatId),
      (seen) => seen.some((text) => text.includes("так и не ответил")),
    );
    expect(told.at(-1)).toContain("С вами снова бот");
    await shop.say(chatId, "телефон");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1)?.includes("Контакты") ?? false,
    );
  });

  // covers shopbot: Operator hand-over
  it("is answered in vain: who answered hears that the words did not arrive, and the log says why", async () => {
    const { chatId, notice } = await escalated("Нина");
    await shop.control("POST", "/faults", {
      ...{ provider: "max", method: "POST /messages", chat: chatId, times: 1 },
      fault: { kind: "status", status: 403 },
    });
    await answerAs("Уже едем", notice);
    await eventually(operatorsChat, (seen) =>
      seen.some(({ text }) => text.startsWith("Ответ не дошёл до покупателя:")),
    );
    expect((await shop.logs(shop.operatorsChatId)).filter(({ result }) => result === "error")).toMatchObject([
      { message_text: "Уже едем", meta: { send_error: { code: "channel_unavailable" } } },
    ]);
  });

  // covers shopbot: Operator hand-over
  it("has sent a photo before: the operators find it in the dialogue", async () => {
    const chatId = await shop.open("Вера");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.length === 1,
    );
    const photo = `data:image/png;base64,${onePixel}`;
    await shop.control("POST", `/max/chats/${chatId}/say`, { photo });
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.length === 2,
    );
    await shop.say(chatId, "оператор");
    const shown = await eventually(operatorsChat, (seen) =>
      seen.some(({ text }) => text.includes("Вера ждёт")),
    );
    expect(shown.find(({ text }) => text.includes("Вера ждёт"))?.text).toMatch(/Вера: \[фото\]\nhttps?:/);
  });

  // covers shopbot: Operator hand-over
  it("is read by the operators, and the bot is silent", async () => {
    const { chatId } = await escalated("Вера");
    await shop.say(chatId, "а доставка в субботу?");
    await eventually(operatorsChat, (seen) =>
      seen.some(({ text }) => text === "Вера: а доставка в субботу?"),
    );
    expect(await shop.said(chatId)).toHaveLength(3);
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({
      action: "bot_operator_relay",
      outcome: "relayed",
      matched_rule_id: null,
    });
  });

  it("is read by the operators also where a long message has to be cut", async () => {
    const { chatId } = await escalated("Инна");
    // As long as MAX allows; with the name before it, one of the two would be cut in the middle of a character.
    for (const text of ["😀".repeat(1_999), `а${"😀".repeat(1_999)}`]) await shop.say(chatId, text);
    await eventually(operatorsChat, (seen) => seen.some(({ text }) => text.startsWith("Инна: а😀")));
    expect((await operatorsChat()).filter(({ text }) => text.startsWith("Инна: "))).toHaveLength(2);
  });

  // covers shopbot: Operator hand-over
  it("gets the operator's words, once, when the operator replies to the message", async () => {
    const { chatId, notice } = await escalated("Глеб");
    await shop.control("PATCH", "/max/options", { duplicate_updates: 1 });
    await answerAs("Добрый день! В субботу привезём.", notice);
    const said = await eventually(
      () => shop.said(chatId),
      (seen) => seen.length === 4,
    );
    expect(said.at(-1)).toBe("Добрый день! В субботу привезём.");
    await shop.say(chatId, "спасибо");
    const relayed = await eventually(operatorsChat, (seen) =>
      seen.some(({ text }) => text === "Глеб: спасибо"),
    );
    const last = relayed.find(({ text }) => text === "Глеб: спасибо");
    await answerAs("Пожалуйста!", last?.id ?? "");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1) === "Пожалуйста!",
    );
  });

  it("hears nothing of what the operators say to each other", async () => {
    const { chatId } = await escalated("Дарья");
    await shop.control("POST", `/max/chats/${shop.operatorsChatId}/say`, { text: "кто возьмёт?" });
    await eventually(
      async () => (await shop.logs(shop.operatorsChatId)).filter(({ outcome }) => outcome === "none"),
      (seen) => seen.length > 0,
    );
    expect(await shop.said(chatId)).toHaveLength(3);
    expect(
      (await shop.logs(shop.operatorsChatId)).every(({ message_text }) => message_text !== "кто возьмёт?"),
    ).toBe(true);
  });

  // covers shopbot: Operator hand-over
  it("is the bot's again when the operator gives the chat back", async () => {
    const { chatId } = await escalated("Егор");
    await shop.press(shop.operatorsChatId, "Вернуть боту");
    const said = await eventually(
      () => shop.said(chatId),
      (seen) => seen.length === 4,
    );
    expect(said.at(-1)).toContain("с вами снова бот");
    await shop.say(chatId, "телефон");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1)?.includes("Контакты") ?? false,
    );
  });

  // covers shopbot: Operator hand-over
  it("is the bot's again when the customer taps the button", async () => {
    const { chatId } = await escalated("Жанна");
    await shop.press(chatId, "Вернуться к боту");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1)?.includes("с вами снова бот") ?? false,
    );
    await shop.say(chatId, "телефон");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1)?.includes("Контакты") ?? false,
    );
  });

  // covers shopbot: Operator hand-over
  it("is the bot's again after a time without a word", async () => {
    const { chatId } = await escalated("Зоя");
    clock.advance(31);
    await shop.say(chatId, "телефон");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1)?.includes("Контакты") ?? false,
    );
  });

  it("is taken over again when the operator answers late", async () => {
    const { chatId, notice } = await escalated("Игорь");
    clock.advance(31);
    await answerAs("Простите за ожидание", notice);
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1) === "Простите за ожидание",
    );
    await shop.say(chatId, "доставка");
    await eventually(operatorsChat, (seen) => seen.some(({ text }) => text === "Игорь: доставка"));
  });

  it("does not hear that nobody came after somebody has, however close both were", async () => {
    const { chatId, notice } = await escalated("Олег");
    const [reply] = await shop.sql`
      select workspace_id, chat_id, 'call:1:ended' as inbound, molva.uuidv7() as outbox_id, 'notice' as kind,
        'Сотрудник так и не ответил' as text, compiled, trace_id
      from shopbot.bot_outbox where chat_id = ${chatId} limit 1`;
    // Written at the same moment as the answer, and not sent yet.
    const later = new Date(clock.now().getTime() + 3_600_000);
    await shop.sql`select shopbot.put_replies(${JSON.stringify([reply])}::text::jsonb, ${later})`;
    await answerAs("Я здесь", notice);
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1) === "Я здесь",
    );
    const waiting = await shop.sql`
      select from shopbot.bot_outbox where chat_id = ${chatId} and status = 'waiting'`;
    expect(waiting).toHaveLength(0);
  });
});

const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
