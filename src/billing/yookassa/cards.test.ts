import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardHarness, cardHarness } from "../../../tests/support/card-harness.ts";
import { aPerson, balanceOf, findingsIn } from "../testing/builders.ts";
import { keepContact } from "./contact.ts";
import { orderOf, shop, tapPay, type Wish } from "./testing/card-deps.ts";

let harness: CardHarness;
let workspaceId: string;
let userId: number;
beforeAll(async () => {
  harness = await cardHarness();
});
afterAll(() => harness?.close());
beforeEach(async () => {
  ({ workspaceId, userId } = await harness.reset());
});

const tap = (wish: Partial<Wish> = {}) => tapPay(harness.deps, { workspaceId, userId, ...wish });
const act = (id: string, body: object) => harness.control("POST", `/payments/${id}/act`, body);
const balance = (of = userId) => balanceOf(harness.sql, workspaceId, of);
const findings = () => findingsIn(harness.sql, workspaceId, harness.clock.now());
const kinds = async () => (await harness.told(workspaceId)).map(({ kind }) => kind);
const codes = async () => (await harness.events(workspaceId)).map(({ action, code }) => `${action} ${code}`);
const payments = () => harness.control("GET", "/payments").then(({ payments: all }) => all);
const alerts = async () => {
  const now = harness.clock.now();
  const rows = await harness.sql`select reason from delivery.monitor_findings(${workspaceId}, '{}', ${now})`;
  return rows.map(({ reason }) => reason);
};
const minute = 60_000;

/** A package that was paid on the page; the notification has not come yet. */
async function paid(wish: Partial<Wish> = {}): Promise<string> {
  const id = orderOf(await tap(wish));
  await act(id, { act: "pay" });
  return id;
}

describe("buying by card", () => {
  // covers cards: Only YooKassa's word credits
  it("credits the tokens once the notification came, at the price of the sale", async () => {
    const id = orderOf(await tap());
    const [payment] = await payments();
    expect(payment).toMatchObject({
      amount: { value: "3000.00", currency: "RUB" },
      description: expect.stringMatching(/^Пакет starter, 3\s500 токенов$/),
      metadata: {
        workspace_id: workspaceId,
        user_id: String(userId),
        package_name: "starter",
        tokens_amount: "3500",
      },
    });
    expect(await balance()).toBe(1_000);
    await act(id, { act: "pay" });
    expect(await harness.deliver()).toEqual([200]);
    expect([await balance(), await kinds(), await findings()]).toEqual([4_500, ["paid"], []]);
    const [row] = await harness.sql`
      select status, yookassa_payment_id, amount_rub::float8 from billing.payments where workspace_id = ${workspaceId}`;
    expect(row).toEqual({ status: "completed", yookassa_payment_id: id, amount_rub: 3_000 });
  });

  // covers cards: Receipts
  it("asks for an e-mail or a phone once, and puts it into the receipt", async () => {
    const stranger = userId + 1_000_000;
    expect(await tap({ userId: stranger })).toEqual({ kind: "contact_needed" });
    const phone = { kind: "phone", value: "79990001122" } as const;
    await keepContact(harness.sql, { workspaceId, userId: stranger }, phone, harness.clock.now());
    orderOf(await tap({ userId: stranger }));
    const [entry] = await harness.twins
      .control<{ entries: { request: { body: unknown } }[] }>(
        "GET",
        "/journal?provider=yookassa&method=POST%20/payments",
      )
      .then(({ entries }) => entries);
    expect(entry?.request.body).toMatchObject({
      receipt: {
        customer: { phone: "79990001122" },
        items: [
          {
            amount: { value: "3000.00" },
            vat_code: 1,
            payment_subject: "service",
            payment_mode: "full_payment",
          },
        ],
      },
    });
  });

  // covers cards: A payment is asked for once
  it("a second tap shows the same payment, and after a decline a new one", async () => {
    const first = orderOf(await tap());
    expect(orderOf(await tap())).toBe(first);
    await act(first, { act: "decline", reason: "insufficient_funds" });
    const second = orderOf(await tap());
    expect(second).not.toBe(first);
    expect(await payments()).toHaveLength(2);
  });

  it("a second tap after the payment says that it is paid, before any notification", async () => {
    await paid();
    expect(await tap()).toEqual({ kind: "paid" });
    expect(await balance()).toBe(4_500);
    expect(await harness.deliver()).toEqual([200]);
    expect([await balance(), await kinds()]).toEqual([4_500, ["paid"]]);
  });

  it("a sixth purchase within ten minutes is refused", async () => {
    for (let n = 1; n <= 5; n += 1) orderOf(await tap({ work: `article-${n}` }));
    expect(await tap({ work: "article-6" })).toEqual({ kind: "refused", code: "too_many_purchases" });
    await harness.advance(10 * minute);
    expect((await tap({ work: "article-6" })).kind).toBe("pay");
  });

  it("what is not sold by card, or not as a subscription, is refused", async () => {
    expect(await tap({ code: "gold" })).toEqual({ kind: "refused", code: "not_sold" });
    expect(await tap({ recurring: true })).toEqual({ kind: "refused", code: "not_sold" });
  });

  it("a declined payment is told with its reason and credits nothing", async () => {
    const id = orderOf(await tap());
    await act(id, { act: "decline", reason: "card_expired" });
    await harness.deliver();
    expect(await harness.told(workspaceId)).toMatchObject([{ kind: "failed", reason: "card_expired" }]);
    expect(await balance()).toBe(1_000);
  });

  it("a payment that nobody makes is given up after an hour", async () => {
    orderOf(await tap());
    await harness.advance(60 * minute);
    await harness.deliver();
    expect(await harness.told(workspaceId)).toMatchObject([
      { kind: "failed", reason: "expired_on_confirmation" },
    ]);
  });
});

describe("when YooKassa fails", () => {
  // covers cards: A payment is asked for once
  it.each([
    ["500 after the work", { kind: "answer", flaw: "error" }],
    ["a lost answer", { kind: "drop_after" }],
    ["a connection that breaks before the work", { kind: "drop_before" }],
    ["an unreadable answer", { kind: "malformed" }],
    ["no answer in time", { kind: "hang", after: true }],
    ["too many requests", { kind: "status", status: 429 }],
    ["a gateway that is down", { kind: "status", status: 503 }],
  ])("%s is asked again under the same key and makes one payment", async (_case, fault) => {
    await harness.fault("POST /payments", fault);
    orderOf(await tap());
    expect(await payments()).toHaveLength(1);
  });

  it("for longer, the person comes again later and finds the same payment", async () => {
    await harness.fault("POST /payments", { kind: "drop_after" }, 3);
    expect(await tap()).toEqual({ kind: "later" });
    orderOf(await tap());
    expect(await payments()).toHaveLength(1);
  });

  it("by refusing the key, operators are told and nobody is charged", async () => {
    await harness.control("POST", "/shops", { id: shop.id, secret: "test_other" });
    expect(await tap()).toEqual({ kind: "later" });
    expect(await codes()).toContain("payment_trouble invalid_credentials");
    await harness.control("POST", "/shops", { id: shop.id, secret: shop.secretKey });
    expect((await tap()).kind).toBe("pay");
  });

  it("by not allowing saved methods, the subscription is refused and operators are told", async () => {
    await harness.control("POST", "/shops", { id: shop.id, recurring: false });
    expect(await tap({ code: "pro", recurring: true })).toEqual({
      kind: "refused",
      code: "recurring_not_allowed",
    });
    expect(await codes()).toContain("payment_trouble forbidden");
    expect((await tap({ code: "pro" })).kind).toBe("pay");
  });

  it("by refusing what we ask for, the payment fails and operators are told", async () => {
    await harness.fault("POST /payments", {
      kind: "status",
      status: 400,
      description: "Receipt is missing or illegal",
    });
    expect(await tap()).toEqual({ kind: "refused", code: "provider_refused" });
    expect(await codes()).toContain("payment_trouble invalid_request");
    expect(await kinds()).toEqual(["failed"]);
  });
});

describe("a notification", () => {
  const send = (body: unknown, address = "185.71.76.1") =>
    harness.server.call("/api/yookassa/webhook", { body, headers: { "x-forwarded-for": address } });
  const told = (id: string, event = "payment.succeeded", object: object = {}) => ({
    type: "notification",
    event,
    object: { id, status: "succeeded", paid: true, ...object },
  });

  // covers cards: E39 The same notification again
  it("that comes twice, or ten times at once, credits once and is answered with 200", async () => {
    const id = await paid();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(told(id))));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await harness.deliver()).toEqual([200]);
    expect([await balance(), await kinds(), await findings()]).toEqual([4_500, ["paid"], []]);
  });

  // covers cards: Strangers are refused and told
  it.each(["203.0.113.7", "185.71.76.32", "77.75.156.12", "127.0.0.1", "::1"])(
    "from %s is refused and told, and nothing is credited",
    async (address) => {
      const id = await paid();
      expect((await send(told(id), address)).status).toBe(403);
      expect(await balance()).toBe(1_000);
      expect(await codes()).toContain("payment_trouble wrong_network");
      expect(await alerts()).toContain("payment_trouble");
    },
  );

  it.each([
    "185.71.77.31",
    "77.75.153.127",
    "77.75.154.128",
    "77.75.156.35",
    "2a02:5180:1::5",
    "::ffff:185.71.76.3",
  ])("from %s is taken", async (address) => {
    const id = await paid();
    expect((await send(told(id), address)).status).toBe(200);
    expect(await balance()).toBe(4_500);
  });

  it("whose sender invents an address before the proxy's is refused", async () => {
    const id = await paid();
    expect((await send(told(id), "185.71.76.1, 203.0.113.7")).status).toBe(403);
  });

  // covers cards: Strangers are refused and told
  it("that names a payment which nobody has made is refused and told", async () => {
    orderOf(await tap());
    expect((await send(told("2f0a1b2c-000f-5000-9000-1d7c1f0e2a11"))).status).toBe(404);
    expect(await codes()).toContain("payment_trouble forged");
    expect(await balance()).toBe(1_000);
  });

  // covers cards: Only YooKassa's word credits
  it("that says paid of a payment which waits is not believed", async () => {
    const id = orderOf(await tap());
    const answer = await send(
      told(id, "payment.succeeded", { amount: { value: "3000.00", currency: "RUB" } }),
    );
    expect([answer.status, await answer.json()]).toEqual([200, { status: "pending" }]);
    expect(await balance()).toBe(1_000);
  });

  it("that says cancelled of a payment which came does not take it back", async () => {
    const id = await paid();
    await send(told(id, "payment.canceled", { status: "canceled" }));
    expect(await balance()).toBe(4_500);
  });

  it("that claims a refund which was never made is refused", async () => {
    const id = await paid();
    await harness.deliver();
    expect((await send(told("nothing", "refund.succeeded", { payment_id: id }))).status).toBe(404);
    expect(await balance()).toBe(4_500);
  });

  // covers cards: Money unlike its sale
  it("of another amount than the sale's credits nothing and is an alert", async () => {
    const id = orderOf(await tap());
    await harness.control("PATCH", `/payments/${id}`, { amount: { value: "1.00", currency: "RUB" } });
    await act(id, { act: "pay" });
    expect(await harness.deliver()).toEqual([200]);
    expect([await balance(), await kinds(), await findings()]).toEqual([1_000, ["refused"], []]);
    expect(await codes()).toContain("payment_refused amount_differs");
  });

  // covers cards: Money unlike its sale
  it("of a payment whose data name another person's sale credits nobody and is an alert", async () => {
    const other = userId + 2_000_000;
    const id = await foreign({
      workspace_id: workspaceId,
      payment_id: "0",
      sale_id: await saleId(),
      user_id: String(other),
    });
    expect(await harness.deliver()).toEqual([200]);
    expect([await balance(), await balance(other)]).toEqual([1_000, undefined]);
    expect(await codes()).toContain("payment_refused user_differs");
    expect(id).toBeDefined();
  });

  it("of a sale that nobody knows is kept on record and is an alert", async () => {
    await foreign({ workspace_id: workspaceId, payment_id: "0", sale_id: "999999", user_id: String(userId) });
    expect(await harness.deliver()).toEqual([200]);
    expect(await balance()).toBe(1_000);
    expect(await codes()).toContain("payment_refused sale_unknown");
  });

  it("of a payment that another program made through the shop is left alone", async () => {
    await foreign({ order: "77" });
    expect(await harness.deliver()).toEqual([200]);
    expect([await balance(), await kinds()]).toEqual([1_000, []]);
  });

  it("that is none is refused with a sentence, and of other things is answered with 200", async () => {
    const answer = await send({ hello: "world" });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "notification_invalid" }]);
    expect((await send(told("po-1", "payout.succeeded"))).status).toBe(200);
  });

  it("that comes while YooKassa's API is down is asked for again", async () => {
    await paid();
    await harness.fault("GET /payments/{id}", { kind: "status", status: 500 }, 3);
    expect(await harness.deliver()).toEqual([503]);
    expect(await balance()).toBe(1_000);
    expect(await harness.deliver()).toEqual([200]);
    expect(await balance()).toBe(4_500);
  });

  it("of success after the failure was told credits all the same", async () => {
    const id = orderOf(await tap());
    await harness.sql`
      select billing.fail_payment(workspace_id, id, 'given_up', ${harness.clock.now()})
      from billing.payments where workspace_id = ${workspaceId}`;
    await act(id, { act: "pay" });
    await harness.deliver();
    expect([await balance(), await kinds()]).toEqual([4_500, ["failed", "paid"]]);
  });

  async function saleId(): Promise<string> {
    orderOf(await tap());
    const [sale] = await harness.sql`select id from billing.sales where workspace_id = ${workspaceId}`;
    return String(sale?.id);
  }

  /** A payment that was made with the shop's key by another program. */
  async function foreign(metadata: Record<string, string>): Promise<string> {
    const reply = await harness.deps.yookassa.createPayment({
      key: `foreign-${Math.random()}`,
      body: JSON.stringify({
        ...{ amount: { value: "3000.00", currency: "RUB" }, capture: true, metadata },
        confirmation: { type: "redirect", return_url: "https://ex.ru" },
        receipt: {
          customer: { email: "a@b.ru" },
          items: [
            { description: "x", quantity: "1", amount: { value: "3000.00", currency: "RUB" }, vat_code: 1 },
          ],
        },
      }),
    });
    if (reply.kind !== "ok") throw new Error(JSON.stringify(reply));
    await act(reply.value.id, { act: "pay" });
    return reply.value.id;
  }
});

describe("whoever brought the payer", () => {
  beforeAll(() =>
    harness.sql.unsafe(`
      create schema a_product;
      create table a_product.referrers (workspace_id uuid, user_id bigint, referrer_id bigint);
      create function a_product.referrer_of(p_workspace_id uuid, p_user_id bigint) returns bigint
        language sql stable as
        'select referrer_id from a_product.referrers r where r.workspace_id = p_workspace_id and r.user_id = p_user_id'`),
  );
  async function referrer(): Promise<number> {
    const id = await aPerson(harness.sql, workspaceId);
    await harness.sql`insert into a_product.referrers values (${workspaceId}, ${userId}, ${id})`;
    await keepContact(
      harness.sql,
      { workspaceId, userId: id },
      { kind: "email", value: "b@ex.com" },
      harness.clock.now(),
    );
    return id;
  }
  async function buys(who: number, last4: string): Promise<string> {
    const id = orderOf(await tap({ userId: who, work: last4 }));
    await act(id, { act: "pay", last4 });
    await harness.deliver();
    return id;
  }

  it("gets a tenth of what was paid, and gives back the same part of it with a refund", async () => {
    const friend = await referrer();
    const id = await buys(userId, "1111");
    expect(await balance(friend)).toBe(1_300);
    await harness.control("POST", "/refunds", {
      payment_id: id,
      amount: { value: "1000.00", currency: "RUB" },
    });
    await harness.deliver();
    expect([await balance(friend), await findings()]).toEqual([1_200, []]);
  });

  it("gets nothing when both pay by one card", async () => {
    const friend = await referrer();
    await buys(friend, "2222");
    await buys(userId, "2222");
    expect([await balance(friend), await balance()]).toEqual([4_500, 4_500]);
  });
});

describe("a refund", () => {
  const back = (payment_id: string, value: string) =>
    harness.control("POST", "/refunds", { payment_id, amount: { value, currency: "RUB" } });

  // covers cards: Refunds in parts
  it("of a part takes the same part of the tokens, rounded down, and all parts together take all", async () => {
    const id = await paid();
    await harness.deliver();
    await back(id, "1000.00");
    await harness.deliver();
    expect(await balance()).toBe(4_500 - 1_166);
    await back(id, "1000.00");
    await harness.deliver();
    expect(await balance()).toBe(4_500 - 2_333);
    await back(id, "1000.00");
    expect(await harness.deliver()).toEqual([200]);
    expect([await balance(), await findings()]).toEqual([1_000, []]);
    expect(await kinds()).toEqual(["paid", "refunded", "refunded", "refunded"]);
  });

  // covers cards: Refunds in parts
  it("whose notifications come twice and before the payment's own ends in the same books", async () => {
    await harness.control("PATCH", "/options", { duplicates: 1 });
    const id = await paid();
    await back(id, "1000.00");
    await back(id, "2000.00");
    expect(await harness.deliver("newest_first")).toEqual([200, 200, 200, 200, 200, 200]);
    expect([await balance(), await findings(), await kinds()]).toEqual([1_000, [], ["paid", "refunded"]]);
  });

  it("of tokens that were spent leaves a debt", async () => {
    const id = await paid();
    await harness.deliver();
    await harness.sql`select billing.charge_balance(${workspaceId}, ${userId}, 4000)`;
    await back(id, "3000.00");
    await harness.deliver();
    expect([await balance(), await findings()]).toEqual([-3_000, []]);
  });
});
