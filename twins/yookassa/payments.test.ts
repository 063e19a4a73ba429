import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aPayment, type Json, rub, shop, startTestYooKassa, type TestYooKassa } from "./testing.ts";

let twin: TestYooKassa;
beforeEach(async () => {
  twin = await startTestYooKassa();
});
afterEach(() => twin.close());

const create = (change: object = {}, headers?: Record<string, string>) =>
  twin.api("POST", "/payments", aPayment(change), headers);
const act = (id: string, body: object) => twin.control<Json>("POST", `/yookassa/payments/${id}/act`, body);
const hour = 3_600_000;

describe("a payment", () => {
  test("waits for its person, is paid and becomes the shop's", async () => {
    const { status, body } = await create({ metadata: { sale: "7" }, description: "Старт" });
    expect([status, body.status, body.paid, body.test]).toEqual([200, "pending", false, true]);
    expect(body.confirmation.confirmation_url).toContain(`orderId=${body.id}`);
    await act(body.id, { act: "pay" });
    expect((await twin.api("GET", `/payments/${body.id}`)).body).toMatchObject({
      status: "succeeded",
      paid: true,
      refundable: true,
      amount: rub("990.00"),
      metadata: { sale: "7" },
      payment_method: { type: "bank_card", saved: false, card: { last4: "4444" } },
    });
  });

  test("that is declined says who did and why, and stays so", async () => {
    const { body } = await create();
    await act(body.id, { act: "decline", reason: "insufficient_funds" });
    await act(body.id, { act: "pay" });
    expect((await twin.api("GET", `/payments/${body.id}`)).body).toMatchObject({
      status: "canceled",
      paid: false,
      cancellation_details: { party: "payment_network", reason: "insufficient_funds" },
    });
  });

  test("that nobody pays is cancelled after an hour", async () => {
    const { body } = await create();
    twin.clock.advance(hour - 1);
    expect((await twin.api("GET", `/payments/${body.id}`)).body.status).toBe("pending");
    twin.clock.advance(1);
    expect((await twin.api("GET", `/payments/${body.id}`)).body.cancellation_details).toEqual({
      party: "yoo_money",
      reason: "expired_on_confirmation",
    });
  });

  test("in two stages waits for the shop, which takes all, a part or nothing", async () => {
    const made = await Promise.all([1, 2, 3].map(() => create({ capture: false })));
    const [whole, part, none] = made.map(({ body }) => body.id);
    for (const id of [whole, part, none]) await act(id, { act: "pay" });
    expect((await twin.api("GET", `/payments/${whole}`)).body.status).toBe("waiting_for_capture");
    expect((await twin.api("POST", `/payments/${whole}/capture`, {})).body.status).toBe("succeeded");
    const taken = await twin.api("POST", `/payments/${part}/capture`, { amount: rub("100.00") });
    expect(taken.body.amount).toEqual(rub("100.00"));
    const cancelled = await twin.api("POST", `/payments/${none}/cancel`, {});
    expect(cancelled.body.cancellation_details).toEqual({
      party: "merchant",
      reason: "canceled_by_merchant",
    });
    expect((await twin.api("POST", `/payments/${whole}/cancel`, {})).status).toBe(400);
  });

  test("that the shop never takes goes back after seven days", async () => {
    const { body } = await create({ capture: false });
    await act(body.id, { act: "pay" });
    twin.clock.advance(7 * 24 * hour);
    const { cancellation_details } = (await twin.api("GET", `/payments/${body.id}`)).body;
    expect(cancellation_details.reason).toBe("expired_on_capture");
  });

  test.each([
    ["without Idempotence-Key", {}, { "idempotence-key": "" }, "Idempotence-Key"],
    ["with a number for a sum", { amount: { value: 990, currency: "RUB" } }, {}, "amount.value"],
    ["with one decimal", { amount: rub("990.0") }, {}, "amount.value"],
    ["of nothing", { amount: rub("0.00") }, {}, "amount.value"],
    ["in dollars", { amount: { value: "9.00", currency: "USD" } }, {}, "amount.currency"],
    ["with a long description", { description: "я".repeat(129) }, {}, "description"],
    ["with a number in metadata", { metadata: { a: 1 } }, {}, "metadata.a"],
    ["with a field nobody knows", { colour: "red" }, {}, "colour"],
    ["without a way back", { confirmation: { type: "redirect" } }, {}, "confirmation.return_url"],
    ["without confirmation", { confirmation: undefined }, {}, "confirmation"],
    [
      "by a method nobody saved",
      { confirmation: undefined, payment_method_id: "x" },
      {},
      "payment_method_id",
    ],
  ])("%s is refused by name", async (_case, change, headers, parameter) => {
    const { status, body } = await create(change, headers);
    expect([status, body.code, body.parameter]).toEqual([400, "invalid_request", parameter]);
  });

  test("is listed by status and time, a page at a time, the newest first", async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift((await create()).body.id);
      twin.clock.advance(1_000);
    }
    const first = (await twin.api("GET", "/payments?limit=2&status=pending")).body;
    const next = (await twin.api("GET", `/payments?limit=2&status=pending&cursor=${first.next_cursor}`)).body;
    expect([...first.items, ...next.items].map(({ id }: Json) => id)).toEqual(ids);
    const since = new Date(twin.clock.now() - 1_500).toISOString();
    expect((await twin.api("GET", `/payments?created_at.gte=${since}`)).body.items).toHaveLength(1);
    expect((await twin.api("GET", "/payments?limit=101")).body.parameter).toBe("limit");
  });
});

describe("a key", () => {
  const key = { "idempotence-key": "sale-1" };

  test("brings the same payment for the same body, for a day", async () => {
    const first = await create({}, key);
    const second = await create({}, key);
    expect(second).toEqual(first);
    twin.clock.advance(24 * hour);
    expect((await create({}, key)).body.id).not.toBe(first.body.id);
  });

  test("is refused for another body", async () => {
    await create({}, key);
    const { status, body } = await create({ amount: rub("1.00") }, key);
    expect([status, body.description]).toEqual([400, "Idempotence key duplicated"]);
  });

  test("finds the payment whose answer was 500", async () => {
    const fault = { kind: "answer", flaw: "error" };
    await twin.control("POST", "/faults", {
      provider: "yookassa",
      method: "POST /payments",
      fault,
      times: 1,
    });
    expect(await create({}, key)).toMatchObject({ status: 500, body: { code: "internal_server_error" } });
    const { body } = await create({}, key);
    expect((await twin.api("GET", "/payments")).body.items.map(({ id }: Json) => id)).toEqual([body.id]);
  });

  test("may be 64 characters long", async () => {
    expect((await create({}, { "idempotence-key": "k".repeat(65) })).status).toBe(400);
  });
});

describe("a saved method", () => {
  async function saved(change: object = {}): Promise<string> {
    const { body } = await create({ save_payment_method: true });
    const paid = await act(body.id, { act: "pay", ...change });
    expect(paid.payment_method.saved).toBe(true);
    return paid.payment_method.id;
  }
  const charge = (id: string) => create({ payment_method_id: id, confirmation: undefined });

  test("is charged without its person", async () => {
    const { body } = await charge(await saved());
    expect(body).toMatchObject({ status: "succeeded", paid: true, payment_method: { saved: true } });
    expect(body.confirmation).toBeUndefined();
  });

  test("declines for the reason it is told, such as a revoked permission", async () => {
    const id = await saved();
    await twin.control("PATCH", `/yookassa/methods/${id}`, { declines: "permission_revoked" });
    expect((await charge(id)).body.cancellation_details.reason).toBe("permission_revoked");
  });

  test("may leave the payment pending for a while", async () => {
    const id = await saved();
    await twin.control("PATCH", `/yookassa/methods/${id}`, { pending: true });
    const { body } = await charge(id);
    expect(body.status).toBe("pending");
    await act(body.id, { act: "settle" });
    expect((await twin.api("GET", `/payments/${body.id}`)).body.status).toBe("succeeded");
  });

  test("is not kept unless the shop asked, and is nobody else's", async () => {
    const { body } = await create();
    const paid = await act(body.id, { act: "pay" });
    expect((await charge(paid.payment_method.id)).status).toBe(400);
    await twin.control("POST", "/yookassa/shops", { id: "701", secret: "test_other" });
    const other = { authorization: `Basic ${btoa("701:test_other")}` };
    const method = await saved();
    expect((await create({ payment_method_id: method, confirmation: undefined }, other)).status).toBe(400);
    expect((await twin.api("GET", `/payments/${body.id}`, undefined, other)).status).toBe(404);
  });

  test("is refused to a shop that may not have any", async () => {
    await twin.control("POST", "/yookassa/shops", { id: shop.id, recurring: false });
    expect(await create({ save_payment_method: true })).toMatchObject({
      status: 403,
      body: { code: "forbidden", description: expect.stringContaining("recurring") },
    });
  });
});

describe("a caller", () => {
  test("with a wrong key or none is refused", async () => {
    for (const authorization of [`Basic ${btoa("700:test_wrong")}`, ""]) {
      expect((await create({}, { authorization })).body.code).toBe("invalid_credentials");
    }
  });

  test("that sends no JSON is refused", async () => {
    expect((await create({}, { "content-type": "text/plain" })).status).toBe(415);
    expect((await twin.api("POST", "/payments", "{")).status).toBe(400);
  });

  test("that comes too often is refused", async () => {
    const fast = await startTestYooKassa({ rateLimits: true });
    const answers = [];
    for (let n = 0; n < 21; n += 1) answers.push((await fast.api("GET", "/payments")).status);
    await fast.close();
    expect([answers[19], answers[20]]).toEqual([200, 429]);
  });
});

describe("a receipt", () => {
  const item = { description: "Токены", quantity: "1.00", amount: rub("990.00"), vat_code: 1 };
  const receipt = { customer: { email: "a@b.ru" }, items: [item] };
  beforeEach(() => twin.control("POST", "/yookassa/shops", { id: shop.id, fiscal: true }));

  test("comes with every payment of a shop that makes receipts here", async () => {
    expect((await create()).body.description).toBe("Receipt is missing or illegal");
    expect((await create({ receipt })).body.receipt_registration).toBe("pending");
  });

  test.each([
    ["names nobody", { ...receipt, customer: {} }],
    ["has another sum", { ...receipt, items: [{ ...item, amount: rub("989.99") }] }],
    ["has an unknown VAT code", { ...receipt, items: [{ ...item, vat_code: 13 }] }],
    ["has a phone with a plus", { ...receipt, customer: { phone: "+79990001122" } }],
    ["has nothing in it", { ...receipt, items: [] }],
  ])("that %s is refused", async (_case, wrong) => {
    expect((await create({ receipt: wrong })).status).toBe(400);
  });
});

describe("a refund", () => {
  let paid: string;
  beforeEach(async () => {
    paid = (await create()).body.id;
    await act(paid, { act: "pay" });
  });
  const refund = (value: string) => twin.api("POST", "/refunds", { payment_id: paid, amount: rub(value) });

  test("may be of a part, and never more than is left", async () => {
    expect((await refund("400.00")).body.status).toBe("succeeded");
    expect((await refund("590.01")).body).toMatchObject({
      code: "invalid_request",
      parameter: "amount.value",
    });
    expect((await refund("590.00")).body.status).toBe("succeeded");
    const { body } = await twin.api("GET", `/payments/${paid}`);
    expect([body.status, body.refunded_amount, body.refundable]).toEqual(["succeeded", rub("990.00"), false]);
    expect((await twin.api("GET", `/refunds?payment_id=${paid}`)).body.items).toHaveLength(2);
  });

  test("of a payment that did not come is refused", async () => {
    paid = (await create()).body.id;
    expect((await refund("1.00")).status).toBe(400);
  });

  test("may wait, and may be cancelled", async () => {
    await twin.control("POST", "/yookassa/shops", { id: shop.id, refunds: "pending" });
    const { body } = await refund("990.00");
    expect(body.status).toBe("pending");
    expect((await refund("1.00")).status).toBe(400);
    await twin.control("POST", `/yookassa/refunds/${body.id}/act`, { outcome: "canceled" });
    expect((await twin.api("GET", `/refunds/${body.id}`)).body.cancellation_details).toBeDefined();
    expect((await twin.api("GET", `/payments/${paid}`)).body.refunded_amount).toEqual(rub("0.00"));
  });
});
