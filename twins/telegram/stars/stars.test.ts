import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testClock } from "../../shared/testing.ts";
import { botToken, otherToken, personId, startTelegram, type TestTelegram } from "../testing.ts";

let telegram: TestTelegram;
let offset = 0;
const clock = testClock();
const month = 2_592_000;

beforeEach(async () => {
  offset = 0;
  telegram = await startTelegram({ clock });
});
afterEach(() => telegram?.close());

const invoice = {
  ...{ title: "Токены", description: "3 500 токенов", payload: "purchase:starter:user_77", currency: "XTR" },
  prices: [{ label: "starter", amount: 195 }],
};
interface Update {
  update_id: number;
  pre_checkout_query?: { id: string; total_amount: number; invoice_payload: string; from: { id: number } };
  message?: { successful_payment?: Record<string, unknown>; refunded_payment?: Record<string, unknown> };
  subscription?: { state: string; invoice_payload: string };
}
/** The bot's next update. */
async function hears(): Promise<Update> {
  const { result } = await telegram.call<Update[]>("getUpdates", { offset, limit: 1, timeout: 5 });
  const [update] = result;
  if (!update) throw new Error("nothing was heard");
  offset = update.update_id + 1;
  return update;
}
const send = (more: object = {}) =>
  telegram.call<{ message_id: number }>("sendInvoice", { chat_id: personId, ...invoice, ...more });
const link = (more: object = {}) => telegram.call<string>("createInvoiceLink", { ...invoice, ...more });
const pressPay = async (messageId: number) =>
  telegram.twins.control("POST", `/telegram/chats/${personId}/press`, {
    message_id: messageId,
    row: 0,
    column: 0,
  });
const payLink = async (address: string) =>
  telegram.twins.control("POST", `/telegram/chats/${personId}/pay`, { link: address });
const answer = (id: string, more: object = { ok: true }) =>
  telegram.call("answerPreCheckoutQuery", { pre_checkout_query_id: id, ...more });

/** Pays and lets the bot agree; returns the charge that the bot receives. */
async function paid(paying: Promise<unknown>) {
  const { pre_checkout_query: query } = await hears();
  await answer(query?.id ?? "");
  await paying;
  const { message } = await hears();
  return message?.successful_payment;
}

describe("an invoice", () => {
  it.each([
    [{ provider_token: "123:TEST" }, "STARS_INVOICE_INVALID"],
    [
      {
        prices: [
          { label: "a", amount: 1 },
          { label: "b", amount: 1 },
        ],
      },
      "STARS_INVOICE_INVALID",
    ],
    [{ max_tip_amount: 5 }, "STARS_INVOICE_INVALID"],
    [{ prices: [{ label: "a", amount: 0 }] }, "CURRENCY_TOTAL_AMOUNT_INVALID"],
    [{ prices: [{ label: "a", amount: 100_001 }] }, "CURRENCY_TOTAL_AMOUNT_INVALID"],
    [{ currency: "RUB" }, "PAYMENT_PROVIDER_INVALID"],
    [{ payload: "п".repeat(65) }, "INVOICE_PAYLOAD_INVALID"],
    [{ title: "" }, 'parameter "title" is required'],
    [{ title: "т".repeat(33) }, "INVOICE_TITLE_INVALID"],
    [{ subscription_period: month }, "SUBSCRIPTION_EXPORT_MISSING"],
    [{ reply_markup: { inline_keyboard: [[{ text: "Да", callback_data: "x" }]] } }, "REPLY_MARKUP_BUY_EMPTY"],
  ])("with %o is refused", async (more, reason) => {
    expect(await send(more)).toMatchObject({ error_code: 400, description: `Bad Request: ${reason}` });
  });

  it("of a subscription has a link, a period of 30 days and at most 10,000 Stars", async () => {
    expect((await link({ subscription_period: month })).result).toMatch(/^https:\/\/t\.me\/\$\w+$/);
    expect(await link({ subscription_period: 60 })).toMatchObject({
      description: "Bad Request: SUBSCRIPTION_PERIOD_INVALID",
    });
    const dear = { subscription_period: month, prices: [{ label: "a", amount: 10_001 }] };
    expect(await link(dear)).toMatchObject({ description: "Bad Request: CURRENCY_TOTAL_AMOUNT_INVALID" });
  });
});

describe("a payment", () => {
  it("asks the bot, moves Stars and tells the bot of the charge; the invoice cannot be paid again", async () => {
    const { result } = await send();
    const paying = pressPay(result.message_id);
    const { pre_checkout_query: query } = await hears();
    expect(query).toMatchObject({
      total_amount: 195,
      invoice_payload: invoice.payload,
      from: { id: personId },
    });
    expect(await answer(query?.id ?? "")).toMatchObject({ ok: true });
    await paying;
    const { message } = await hears();
    expect(message?.successful_payment).toEqual({
      ...{ currency: "XTR", total_amount: 195, invoice_payload: invoice.payload },
      ...{ telegram_payment_charge_id: expect.any(String), provider_payment_charge_id: expect.any(String) },
    });
    await expect(pressPay(result.message_id)).rejects.toThrow("paid already");
    expect(await answer(query?.id ?? "")).toMatchObject({ error_code: 400 });
  });

  it("that the bot refuses, or a foreign bot answers, does not happen", async () => {
    const { result } = await send();
    const paying = pressPay(result.message_id);
    const { pre_checkout_query: query } = await hears();
    const foreign = await telegram.call(
      "answerPreCheckoutQuery",
      { pre_checkout_query_id: query?.id, ok: true },
      otherToken,
    );
    expect(foreign.ok).toBe(false);
    expect(await answer(query?.id ?? "", { ok: false })).toMatchObject({ error_code: 400 });
    await answer(query?.id ?? "", { ok: false, error_message: "Цена изменилась" });
    await expect(paying).rejects.toThrow("Цена изменилась");
    expect(
      (await telegram.call<{ transactions: unknown[] }>("getStarTransactions")).result.transactions,
    ).toEqual([]);
  });

  it("is given up when the bot says nothing for ten seconds", async () => {
    const { result } = await send();
    await expect(pressPay(result.message_id)).rejects.toThrow("BOT_PRECHECKOUT_TIMEOUT");
    const { pre_checkout_query: query } = await hears();
    clock.advance(10_001);
    expect(await answer(query?.id ?? "")).toMatchObject({ error_code: 400 });
  }, 20_000);

  it("needs enough Stars", async () => {
    await telegram.twins.control("PUT", `/telegram/people/${personId}/stars`, { stars: 194 });
    const { result } = await send();
    await expect(pressPay(result.message_id)).rejects.toThrow("BALANCE_TOO_LOW");
  });

  it("goes back once, by the bot that got it", async () => {
    const { result } = await send();
    const charge = await paid(pressPay(result.message_id));
    const back = { user_id: personId, telegram_payment_charge_id: charge?.telegram_payment_charge_id };
    expect(await telegram.call("refundStarPayment", back, otherToken)).toMatchObject({ error_code: 400 });
    expect(await telegram.call("refundStarPayment", back)).toMatchObject({ ok: true, result: true });
    expect((await hears()).message?.refunded_payment).toMatchObject({ total_amount: 195 });
    expect(await telegram.call("refundStarPayment", back)).toMatchObject({
      description: "Bad Request: CHARGE_ALREADY_REFUNDED",
    });
    const { result: listed } = await telegram.call<{ transactions: Record<string, unknown>[] }>(
      "getStarTransactions",
    );
    expect(listed.transactions).toMatchObject([
      {
        id: back.telegram_payment_charge_id,
        amount: 195,
        source: { type: "user", invoice_payload: invoice.payload },
      },
      { id: back.telegram_payment_charge_id, amount: 195, receiver: { type: "user" } },
    ]);
    expect(await telegram.call("getStarTransactions", { limit: 101 })).toMatchObject({ error_code: 400 });
  });
});

describe("a subscription", () => {
  const renew = () => telegram.twins.control("POST", "/telegram/stars/renew");
  async function subscribed() {
    const { result } = await link({ subscription_period: month });
    const charge = await paid(payLink(result));
    return { chargeId: charge?.telegram_payment_charge_id, charge };
  }

  it("is charged again when its time has come, with the flags of its first and later payments", async () => {
    const { charge } = await subscribed();
    const until = Math.floor(clock.now() / 1000) + month;
    expect(charge).toMatchObject({
      ...{ is_recurring: true, is_first_recurring: true, subscription_expiration_date: until },
    });
    await renew();
    clock.advance(month * 1_000);
    await renew();
    await renew();
    const renewed = (await hears()).message?.successful_payment;
    expect(renewed).toMatchObject({ is_recurring: true, subscription_expiration_date: until + month });
    expect(renewed).not.toHaveProperty("is_first_recurring");
    expect(renewed?.telegram_payment_charge_id).not.toBe(charge?.telegram_payment_charge_id);
  });

  it("that the bot cancels is not charged again until the bot resumes it", async () => {
    const { chargeId } = await subscribed();
    const edit = (is_canceled: boolean) =>
      telegram.call("editUserStarSubscription", {
        ...{ user_id: personId, telegram_payment_charge_id: chargeId, is_canceled },
      });
    expect(await edit(true)).toMatchObject({ ok: true });
    expect(await edit(false)).toMatchObject({ ok: true });
    expect(await edit(true)).toMatchObject({ ok: true });
    clock.advance(month * 1_000);
    expect(await renew()).toEqual({ charged: 0 });
    expect(await edit(false)).toMatchObject({ description: "Bad Request: SUBSCRIPTION_EXPIRED" });
  });

  it("tells the bot when the person cancels or resumes it, and when there are too few Stars", async () => {
    await subscribed();
    const change = (canceled: boolean) =>
      telegram.twins.control("POST", `/telegram/chats/${personId}/subscription`, { canceled });
    await change(true);
    expect((await hears()).subscription).toMatchObject({
      state: "canceled",
      invoice_payload: invoice.payload,
    });
    await change(false);
    expect((await hears()).subscription?.state).toBe("active");
    await telegram.twins.control("PUT", `/telegram/people/${personId}/stars`, { stars: 10 });
    clock.advance(month * 1_000);
    expect(await renew()).toEqual({ charged: 0 });
    await renew();
    expect((await hears()).subscription?.state).toBe("failed");
    await telegram.twins.control("PUT", `/telegram/people/${personId}/stars`, { stars: 1_000 });
    expect(await renew()).toEqual({ charged: 1 });
  });

  it("may have shorter periods, so that nobody waits for a month", async () => {
    await telegram.twins.control("PATCH", "/telegram/stars", { period_seconds: 60 });
    const { charge } = await subscribed();
    expect(charge?.subscription_expiration_date).toBe(Math.floor(clock.now() / 1000) + 60);
  });
});

it("bots are told about nobody else's payments", async () => {
  const { result } = await send();
  await paid(pressPay(result.message_id));
  const others = await telegram.call<{ transactions: unknown[] }>("getStarTransactions", {}, otherToken);
  expect(others.result.transactions).toEqual([]);
  expect(botToken).not.toBe(otherToken);
});
