import { createHash, createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type CardHarness,
  cardHarness,
  publicUrl,
  signingKeys,
} from "../../../tests/support/card-harness.ts";
import type { Json } from "../../../twins/yookassa/testing.ts";
import { setWorkspaceStatus } from "../../workspaces/index.ts";
import { compareProviders } from "../books/compare-providers.ts";
import { providersOf } from "../providers/provider.ts";
import { refund } from "../sales/refund.ts";
import { reviewSubscriptions, setRecurring, subscriptionOf } from "../sales/subscriptions.ts";
import { balanceOf, findingsIn } from "../testing/builders.ts";
import { cardProvider } from "./provider.ts";
import { forgetCardRequests, reconcileCardPayments, reconcileCardRefunds } from "./reconcile.ts";
import { renew, renewDue, warnOfRenewals } from "./renew.ts";
import { orderOf, product, tapPay, type Wish } from "./testing/card-deps.ts";

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

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const tap = (wish: Partial<Wish> = {}) => tapPay(harness.deps, { workspaceId, userId, ...wish });
const act = (id: string, body: object) => harness.control("POST", `/payments/${id}/act`, body);
const balance = () => balanceOf(harness.sql, workspaceId, userId);
const findings = () => findingsIn(harness.sql, workspaceId, harness.clock.now());
const kinds = async () => (await harness.told(workspaceId)).map(({ kind }) => kind);
const payments = () => harness.control("GET", "/payments").then(({ payments: all }) => all);
const subscription = () => subscriptionOf(harness.sql, { workspaceId, userId, product: product.product });

/** A subscription to pro with its first payment; returns its saved method. */
async function subscribed(): Promise<string> {
  const id = orderOf(await tap({ code: "pro", recurring: true }));
  await act(id, { act: "pay" });
  await harness.deliver();
  return id;
}
const method = (id: string, body: object) => harness.control("PATCH", `/methods/${id}`, body);
const nearTheEnd = () => harness.advance(30 * day - 30 * minute);

describe("a subscription by card", () => {
  // covers cards: A period is charged for once
  it("is charged by the saved method shortly before its period ends, without the person", async () => {
    const methodId = await subscribed();
    expect(await subscription()).toMatchObject({ status: "active", package: "pro", renewals: 0 });
    await harness.advance(30 * day - 2 * hour);
    expect(await renewDue(harness.deps)).toEqual([]);
    await harness.advance(90 * minute);
    expect(await renewDue(harness.deps)).toEqual(["charged"]);
    const [renewal] = await payments();
    expect(renewal).toMatchObject({
      ...{ status: "succeeded", amount: { value: "6000.00" }, payment_method: { id: methodId } },
      metadata: { is_renewal: "true", is_subscription: "true" },
    });
    expect(await harness.deliver()).toEqual([200]);
    expect([await balance(), await kinds(), await findings()]).toEqual([15_400, ["paid", "renewed"], []]);
    const until = new Date("2026-11-15T12:00:00Z").getTime() + 60 * day;
    expect(await subscription()).toMatchObject({ renewals: 1, period_end: new Date(until) });
  });

  it("goes on period after period", async () => {
    await subscribed();
    for (let period = 1; period <= 3; period += 1) {
      await harness.advance(period === 1 ? 30 * day - 30 * minute : 30 * day);
      expect(await renewDue(harness.deps)).toEqual(["charged"]);
    }
    expect([await balance(), (await payments()).length, await findings()]).toEqual([29_800, 4, []]);
  });

  // covers cards: A period is charged for once
  it("is charged once by processes that renew at the same time, whatever they do", async () => {
    await subscribed();
    await nearTheEnd();
    const rounds = await Promise.all(Array.from({ length: 6 }, () => renewDue(harness.deps)));
    expect(rounds.flat().filter((outcome) => outcome !== "taken")).toEqual(["charged"]);
    await renewDue(harness.deps);
    expect([(await payments()).length, await balance()]).toEqual([2, 15_400]);
  });

  it("is not charged again by a process that found it due before another one charged", async () => {
    await subscribed();
    await nearTheEnd();
    const subscriptionId = (await subscription())?.id ?? 0;
    const late = () => renew(harness.deps, { workspaceId, subscriptionId });
    expect([await late(), await late()]).toEqual(["charged", "taken"]);
    expect([(await payments()).length, await balance()]).toEqual([2, 15_400]);
  });

  it("is neither warned, charged nor ended while its workspace is paused, and is charged once it is resumed", async () => {
    const { sql, clock } = harness;
    const by = { operator: "anna" };
    await subscribed();
    await harness.advance(29 * day);
    const { id: subscriptionId = 0 } = (await subscription()) ?? {};
    await setWorkspaceStatus({ sql, clock }, workspaceId, "paused", by);
    expect(await warnOfRenewals(harness.deps)).toBe(0);
    await harness.advance(2 * day);
    expect(await renewDue(harness.deps)).toEqual([]);
    // As a process does that found it due before the pause.
    expect(await renew(harness.deps, { workspaceId, subscriptionId })).toBe("taken");
    expect(await reviewSubscriptions(sql, clock.now())).toBe(0);
    expect([(await payments()).length, await kinds()]).toEqual([1, ["paid"]]);
    await setWorkspaceStatus({ sql, clock }, workspaceId, "active", by);
    expect(await reviewSubscriptions(sql, clock.now())).toBe(0);
    expect(await renewDue(harness.deps)).toEqual(["charged"]);
  });

  it("is told a day before it is charged, once for each period", async () => {
    await subscribed();
    await harness.advance(29 * day - minute);
    expect(await warnOfRenewals(harness.deps)).toBe(0);
    await harness.advance(minute);
    expect(await warnOfRenewals(harness.deps)).toBe(1);
    expect(await warnOfRenewals(harness.deps)).toBe(0);
    expect((await harness.told(workspaceId)).at(-1)).toMatchObject({
      ...{ kind: "renewal_soon", amount: 6_000, currency: "RUB", package: "pro", tokens: 7_200 },
    });
  });

  // covers cards: E37 A failed renewal
  it.each(["permission_revoked", "insufficient_funds", "card_expired"])(
    "whose charge is declined (%s) lasts to its end, is not charged again and then ends",
    async (reason) => {
      await method(await subscribed(), { declines: reason });
      await nearTheEnd();
      expect(await renewDue(harness.deps)).toEqual(["declined"]);
      expect(await harness.deliver()).toEqual([200]);
      expect((await harness.told(workspaceId)).at(-1)).toMatchObject({
        ...{ kind: "renewal_failed", reason, until: "2026-12-15T12:00:00+00:00" },
      });
      expect(await renewDue(harness.deps)).toEqual([]);
      expect(await subscription()).toMatchObject({ status: "paused" });
      await harness.advance(3 * day + hour);
      await reviewSubscriptions(harness.sql, harness.clock.now());
      expect([await subscription(), (await payments()).length]).toEqual([undefined, 2]);
      expect(await kinds()).toEqual(["paid", "renewal_failed", "ended"]);
      expect(await balance()).toBe(8_200);
    },
  );

  it("whose charge waits at YooKassa is prolonged when the notification comes", async () => {
    await method(await subscribed(), { pending: true });
    await nearTheEnd();
    expect(await renewDue(harness.deps)).toEqual(["pending"]);
    expect(await balance()).toBe(8_200);
    const [renewal] = await payments();
    await act(renewal.id, { act: "settle" });
    await harness.deliver();
    expect([await balance(), await kinds()]).toEqual([15_400, ["paid", "renewed"]]);
  });

  it("that was cancelled is not charged, lasts to its end and can be resumed before it", async () => {
    await subscribed();
    const deps = {
      sql: harness.sql,
      clock: harness.clock,
      providers: providersOf([cardProvider(harness.deps)]),
    };
    const current = async () => {
      const found = await subscription();
      if (!found) throw new Error("no subscription");
      return found;
    };
    await setRecurring(deps, workspaceId, await current(), false);
    await nearTheEnd();
    expect(await renewDue(harness.deps)).toEqual([]);
    await setRecurring(deps, workspaceId, await current(), true);
    expect(await renewDue(harness.deps)).toEqual(["charged"]);
    await setRecurring(deps, workspaceId, await current(), false);
    await harness.advance(31 * day);
    await reviewSubscriptions(harness.sql, harness.clock.now());
    expect([await subscription(), (await payments()).length]).toEqual([undefined, 2]);
  });

  it("whose method YooKassa did not keep fails at its first renewal, without a charge", async () => {
    await subscribed();
    await harness.sql`update billing.subscriptions set method_id = null where workspace_id = ${workspaceId}`;
    await nearTheEnd();
    expect(await renewDue(harness.deps)).toEqual(["declined"]);
    expect((await harness.told(workspaceId)).at(-1)).toMatchObject({ reason: "method_not_saved" });
    expect(await payments()).toHaveLength(1);
  });
});

describe("a renewal whose answer is lost", () => {
  // covers cards: A period is charged for once
  it.each([
    ["after YooKassa charged", { kind: "drop_after" }],
    ["with 500 after YooKassa charged", { kind: "answer", flaw: "error" }],
    ["before YooKassa saw it", { kind: "drop_before" }],
  ])("%s is charged once", async (_case, fault) => {
    await subscribed();
    await nearTheEnd();
    await harness.fault("POST /payments", fault, 3);
    expect(await renewDue(harness.deps)).toEqual(["unknown"]);
    expect(await renewDue(harness.deps)).toEqual([]);
    await harness.advance(3 * minute);
    expect(await reconcileCardPayments(harness.deps)).toBe(1);
    await harness.deliver();
    expect([(await payments()).length, await balance(), await findings()]).toEqual([2, 15_400, []]);
    expect(await kinds()).toEqual(["paid", "renewed"]);
  });

  it("is credited by its notification before anybody looks", async () => {
    await subscribed();
    await nearTheEnd();
    await harness.fault("POST /payments", { kind: "drop_after" }, 3);
    expect(await renewDue(harness.deps)).toEqual(["unknown"]);
    expect(await harness.deliver()).toEqual([200]);
    expect([await balance(), await kinds()]).toEqual([15_400, ["paid", "renewed"]]);
    await harness.advance(3 * minute);
    expect(await reconcileCardPayments(harness.deps)).toBe(0);
  });

  it("and that never arrived is not repeated while the workspace is paused", async () => {
    await subscribed();
    await nearTheEnd();
    await harness.fault("POST /payments", { kind: "drop_before" }, 3);
    await renewDue(harness.deps);
    const status = (to: "paused" | "active") =>
      setWorkspaceStatus({ sql: harness.sql, clock: harness.clock }, workspaceId, to, { operator: "anna" });
    await status("paused");
    await harness.advance(3 * minute);
    await reconcileCardPayments(harness.deps);
    expect(await payments()).toHaveLength(1);
    await status("active");
    await harness.advance(6 * minute);
    await reconcileCardPayments(harness.deps);
    expect(await payments()).toHaveLength(2);
  });

  it("and that never arrived does not charge whoever cancelled meanwhile", async () => {
    await subscribed();
    await nearTheEnd();
    await harness.fault("POST /payments", { kind: "drop_before" }, 3);
    await renewDue(harness.deps);
    const deps = {
      sql: harness.sql,
      clock: harness.clock,
      providers: providersOf([cardProvider(harness.deps)]),
    };
    const found = await subscription();
    if (found) await setRecurring(deps, workspaceId, found, false);
    await harness.advance(3 * minute);
    await reconcileCardPayments(harness.deps);
    expect([(await payments()).length, await balance()]).toEqual([1, 8_200]);
  });

  // covers cards: What nobody tells is looked for
  it("for more than a day is looked for by what we told, never charged anew", async () => {
    await subscribed();
    await nearTheEnd();
    await harness.fault("POST /payments", { kind: "drop_after" }, 3);
    await renewDue(harness.deps);
    await harness.advance(25 * hour);
    await reconcileCardPayments(harness.deps);
    expect([(await payments()).length, await balance(), await findings()]).toEqual([2, 15_400, []]);
  });

  it("for more than a day and never arrived is given up", async () => {
    await subscribed();
    await nearTheEnd();
    await harness.fault("POST /payments", { kind: "drop_before" }, 3);
    await renewDue(harness.deps);
    await harness.advance(25 * hour);
    await reconcileCardPayments(harness.deps);
    expect([(await payments()).length, await kinds()]).toEqual([1, ["paid", "renewal_failed"]]);
  });
});

describe("what nobody tells", () => {
  // covers cards: What nobody tells is looked for
  it("is asked for: a payment that came, one that was declined, one that nobody made", async () => {
    const [came, declined] = [orderOf(await tap({ work: "a" })), orderOf(await tap({ work: "b" }))];
    orderOf(await tap({ work: "c" }));
    await harness.control("POST", "/shops", { id: "700", notification_url: null });
    await act(came, { act: "pay" });
    await act(declined, { act: "decline", reason: "general_decline" });
    await harness.advance(minute);
    expect(await reconcileCardPayments(harness.deps)).toBe(0);
    await harness.advance(minute);
    expect(await reconcileCardPayments(harness.deps)).toBe(3);
    // They were begun at the same moment, so either may come first.
    expect([await balance(), (await kinds()).toSorted()]).toEqual([4_500, ["failed", "paid"]]);
    await harness.advance(hour);
    expect(await reconcileCardPayments(harness.deps)).toBe(1);
    expect((await kinds()).at(-1)).toBe("failed");
    await harness.advance(hour);
    expect(await reconcileCardPayments(harness.deps)).toBe(0);
  });

  it("is asked for by one of several processes", async () => {
    orderOf(await tap());
    await harness.advance(2 * minute);
    const rounds = await Promise.all([1, 2, 3, 4].map(() => reconcileCardPayments(harness.deps)));
    expect(rounds.toSorted()).toEqual([0, 0, 0, 1]);
  });

  it("of a refund in the cabinet is taken in within the hour", async () => {
    const id = orderOf(await tap());
    await act(id, { act: "pay" });
    await harness.deliver();
    await harness.control("POST", "/shops", { id: "700", notification_url: null });
    const amount = { value: "1500.00", currency: "RUB" };
    await harness.control("POST", "/refunds", { payment_id: id, amount });
    await reconcileCardRefunds(harness.deps);
    await reconcileCardRefunds(harness.deps);
    expect([await balance(), await findings()]).toEqual([4_500 - 1_750, []]);
  });

  it("is forgotten with its e-mail when the payment has ended and two days have passed", async () => {
    const id = orderOf(await tap());
    await act(id, { act: "pay" });
    await harness.deliver();
    const kept = async () =>
      (await harness.sql`select from billing.yookassa_requests where workspace_id = ${workspaceId}`).length;
    await forgetCardRequests(harness.deps);
    expect(await kept()).toBe(1);
    await harness.advance(2 * day + minute);
    await forgetCardRequests(harness.deps);
    expect(await kept()).toBe(0);
  });
});

describe("an operator's refund", () => {
  const by = { operator: "anna", reason: "asked for it" };
  const deps = () => ({
    ...{ sql: harness.sql, clock: harness.clock },
    providers: providersOf([cardProvider(harness.deps)]),
  });
  async function bought(wish: Partial<Wish> = {}): Promise<{ paymentId: number; id: string }> {
    const id = orderOf(await tap(wish));
    await act(id, { act: "pay" });
    await harness.deliver();
    const [row] = await harness.sql<{ id: number }[]>`
      select id from billing.payments where workspace_id = ${workspaceId} and charge_id = ${id}`;
    return { paymentId: row?.id ?? 0, id };
  }
  type Bought = Awaited<ReturnType<typeof bought>>;
  const refunds = () => harness.control("GET", "/refunds").then(({ refunds: all }) => all);
  const inCabinet = async (id: string, value: string) => {
    await harness.control("POST", "/refunds", { payment_id: id, amount: { value, currency: "RUB" } });
    await harness.deliver();
  };

  // covers cards: Refunds in parts
  it("gives the money back, then takes the tokens, in parts if wanted, with a receipt", async () => {
    const { paymentId } = await bought();
    const first = await refund(deps(), workspaceId, { paymentId, amount: 1_000 }, by);
    expect([first.balance, first.payment.status]).toEqual([4_500 - 1_166, "completed"]);
    const rest = await refund(deps(), workspaceId, { paymentId }, by);
    expect([rest.balance, rest.payment.status]).toEqual([1_000, "refunded"]);
    expect(await harness.deliver()).toEqual([200, 200]);
    expect([await balance(), await findings(), (await refunds()).length]).toEqual([1_000, [], 2]);
  });

  it("of the last kopeck is possible, whatever parts went before", async () => {
    const { paymentId } = await bought();
    await refund(deps(), workspaceId, { paymentId, amount: 257.47 }, by);
    await expect(refund(deps(), workspaceId, { paymentId, amount: 2742.54 }, by)).rejects.toMatchObject({
      message: expect.stringContaining(" 2742.53 RUB are left"),
    });
    const rest = await refund(deps(), workspaceId, { paymentId, amount: 2742.53 }, by);
    expect([rest.balance, rest.payment.status]).toEqual([1_000, "refunded"]);
  });

  it.each([
    ["a lost answer", { kind: "drop_after" }],
    ["500 after the work", { kind: "answer", flaw: "error" }],
  ])("after %s is not given twice", async (_case, fault) => {
    const { paymentId } = await bought();
    await harness.fault("POST /refunds", fault, 3);
    await expect(refund(deps(), workspaceId, { paymentId, amount: 1_000 }, by)).rejects.toMatchObject({
      code: "provider_unheard",
    });
    await harness.advance(2 * day);
    await refund(deps(), workspaceId, { paymentId, amount: 1_000 }, by);
    expect([(await refunds()).length, await balance()]).toEqual([1, 4_500 - 1_166]);
  });

  it("that YooKassa cancels changes nothing here, and can be asked for again", async () => {
    const { paymentId } = await bought();
    await harness.control("POST", "/shops", { id: "700", refunds: "canceled" });
    await expect(refund(deps(), workspaceId, { paymentId }, by)).rejects.toMatchObject({
      code: "provider_refused",
    });
    expect(await balance()).toBe(4_500);
    await harness.control("POST", "/shops", { id: "700", refunds: "succeeded" });
    await refund(deps(), workspaceId, { paymentId }, by);
    expect(await balance()).toBe(1_000);
  });

  it("that takes its time is told, is not asked for twice, and is recorded when it is done", async () => {
    const { paymentId } = await bought();
    await harness.control("POST", "/shops", { id: "700", refunds: "pending" });
    for (let n = 0; n < 2; n += 1)
      await expect(refund(deps(), workspaceId, { paymentId }, by)).rejects.toMatchObject({
        code: "provider_unheard",
      });
    const [waiting, ...others] = await refunds();
    expect(others).toEqual([]);
    await harness.control("POST", `/refunds/${waiting.id}/act`, { outcome: "succeeded" });
    await harness.deliver();
    expect([await balance(), await findings()]).toEqual([1_000, []]);
  });

  it.each([
    ["an operator's", ({ paymentId }: Bought) => refund(deps(), workspaceId, { paymentId }, by)],
    ["the owner's in the cabinet", ({ id }: Bought) => inCabinet(id, "6000.00")],
    [
      "the owner's in two parts",
      async ({ id }: Bought) => {
        await inCabinet(id, "5999.99");
        expect(await subscription()).toMatchObject({ status: "active" });
        await inCabinet(id, "0.01");
      },
    ],
  ])("of all of a subscription's last payment ends it: %s", async (_whose, giveBack) => {
    const payment = await bought({ code: "pro", recurring: true });
    await giveBack(payment);
    await harness.deliver();
    expect([await subscription(), (await kinds()).at(-1), await balance()]).toEqual([
      undefined,
      "ended",
      1_000,
    ]);
    await nearTheEnd();
    expect(await renewDue(harness.deps)).toEqual([]);
    expect(await payments()).toHaveLength(1);
  });
});

it("a refund of an earlier period leaves the subscription as it is", async () => {
  const id = orderOf(await tap({ code: "pro", recurring: true }));
  await act(id, { act: "pay" });
  await harness.deliver();
  await nearTheEnd();
  await renewDue(harness.deps);
  await harness.deliver();
  const amount = { value: "6000.00", currency: "RUB" };
  await harness.control("POST", "/refunds", { payment_id: id, amount });
  await harness.deliver();
  expect([(await subscription())?.status, await balance()]).toEqual(["active", 8_200]);
});

it("the nightly comparison with YooKassa's books finds nothing, or what was refunded elsewhere", async () => {
  const id = orderOf(await tap());
  await act(id, { act: "pay" });
  await harness.deliver();
  const compare = async () => {
    const providers = providersOf([cardProvider(harness.deps)]);
    const found = await compareProviders(harness.sql, providers, workspaceId, harness.clock.now());
    return found.map(({ finding }) => finding);
  };
  await harness.advance(day);
  expect(await compare()).toEqual([]);
  await harness.control("POST", "/shops", { id: "700", notification_url: null });
  const amount = { value: "1500.00", currency: "RUB" };
  await harness.control("POST", "/refunds", { payment_id: id, amount });
  expect(await compare()).toEqual(["refund_differs"]);
  await harness.fault("GET /payments", { kind: "status", status: 500 }, 3);
  expect(await compare()).toEqual(["provider_unheard"]);
});

describe("/api/yookassa/renew", () => {
  const url = `${publicUrl}/api/yookassa/renew`;
  const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  function signed(
    body: string,
    { key = signingKeys[0] ?? "", sub = url, shift = 0, jti = randomUUID() } = {},
  ): string {
    const seconds = Math.floor(harness.clock.now().getTime() / 1000) + shift;
    const hash = createHash("sha256").update(body).digest("base64url");
    const claims = {
      iss: "Upstash",
      sub,
      exp: seconds + 300,
      nbf: seconds,
      iat: seconds,
      jti,
      body: hash,
    };
    const text = `${coded({ alg: "HS256", typ: "JWT" })}.${coded(claims)}`;
    return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
  }
  async function call(body: object, signature = signed(JSON.stringify(body))) {
    const answer = await harness.server.call("/api/yookassa/renew", {
      body,
      headers: { "upstash-signature": signature },
    });
    const given: Json = await answer.json();
    return [answer.status, given];
  }

  it("charges the subscription that QStash names, once", async () => {
    const body = { user_id: userId, payment_method_id: await subscribed(), package: "pro" };
    expect(await call(body)).toEqual([200, { status: "not_due" }]);
    await nearTheEnd();
    expect(await call(body)).toEqual([200, { status: "charged" }]);
    await harness.deliver();
    expect(await call(body)).toEqual([200, { status: "not_due" }]);
    expect(await balance()).toBe(15_400);
  });

  it("takes the next key too, and answers 200 to what cannot be renewed", async () => {
    const body = { user_id: userId, payment_method_id: "nobodys" };
    const signature = signed(JSON.stringify(body), { key: "sig_next" });
    expect(await call(body, signature)).toEqual([200, { status: "unknown" }]);
    expect(await call({ hello: "world" })).toEqual([200, { status: "invalid" }]);
    const other = { user_id: userId, payment_method_id: await subscribed(), package: "business" };
    expect(await call(other)).toEqual([200, { status: "unknown" }]);
  });

  it("takes a signature once", async () => {
    const body = { user_id: userId, payment_method_id: "nobodys" };
    const signature = signed(JSON.stringify(body));
    expect(await call(body, signature)).toEqual([200, { status: "unknown" }]);
    expect(await call(body, signature)).toMatchObject([401, { code: "signature_invalid" }]);
  });

  it.each([
    ["no signature", () => ""],
    ["another key", (body: string) => signed(body, { key: "guess" })],
    ["a blank key", (body: string) => signed(body, { key: "" })],
    ["another address", (body: string) => signed(body, { sub: "https://evil.example/api/yookassa/renew" })],
    ["an old signature", (body: string) => signed(body, { shift: -3_600 })],
    ["a signature of another body", () => signed("{}")],
    ["nonsense", () => "a.b.c"],
  ])("refuses %s", async (_case, signature) => {
    const body = { user_id: userId, payment_method_id: await subscribed() };
    await nearTheEnd();
    const [status, problem] = await call(body, signature(JSON.stringify(body)));
    expect([status, problem.code]).toEqual([401, "signature_invalid"]);
    expect(await payments()).toHaveLength(1);
  });
});
