import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { setPackage } from "../catalogue/catalogue.ts";
import { aPlanShop, aShop } from "../testing/a-shop.ts";
import { aPerson, balanceOf, findingsIn } from "../testing/builders.ts";
import type { Shop } from "./offer.ts";
import { type Charge, recordPayment, recordRefund } from "./record-payment.ts";
import { beginSale, refusalToPay, type Sale } from "./sale.ts";
import { reviewSubscriptions, subscriptionOf } from "./subscriptions.ts";

let database: TestDatabase;
let sql: Sql;
let workspaceId: string;
let userId: number;
const clock = manualClock();
const shop = aShop();
const hour = 3_600_000;
const day = 24 * hour;

beforeAll(async () => {
  database = await databaseWithJobs();
  sql = database.sql;
  await sql.unsafe(`
    create schema a_product;
    create table a_product.referrers (workspace_id uuid, user_id bigint, referrer_id bigint);
    create function a_product.referrer_of(p_workspace_id uuid, p_user_id bigint) returns bigint
      language sql stable as
      'select referrer_id from a_product.referrers r where r.workspace_id = p_workspace_id and r.user_id = p_user_id'`);
});
afterAll(() => database?.drop());
beforeEach(async () => {
  clock.set(new Date("2026-11-15T12:00:00Z"));
  await sql`select workspaces.ensure_event_partitions(p_now => ${clock.now()})`;
  await sql`delete from graphile_worker._private_jobs`;
  workspaceId = await aWorkspace(sql);
  userId = await aPerson(sql, workspaceId);
});

interface Wish {
  readonly code?: string;
  readonly recurring?: boolean;
  readonly of?: Shop<{ work: string }>;
  readonly by?: number;
  readonly work?: string;
}
const begin = ({
  code = "starter",
  recurring = false,
  of = shop,
  by = userId,
  work = "article-1",
}: Wish = {}) =>
  beginSale(
    sql,
    {
      ...{ workspaceId, userId: by, shop: of, provider: "stars", seller: "a-bot", currency: "XTR" as const },
      ...{ code, recurring, given: { work } },
    },
    clock.now(),
  );
async function aSale(wish: Wish = {}): Promise<Sale> {
  const begun = await begin(wish);
  if (!begun.ok) throw new Error(begun.code);
  return begun.sale;
}
const pay = (sale: Sale, chargeId: string, more: Partial<Charge> = {}) =>
  recordPayment(
    sql,
    {
      ...{ workspaceId, provider: "stars", chargeId, saleId: sale.id, userId: sale.user_id },
      ...{ amount: sale.amount, currency: sale.currency, ...more },
    },
    clock.now(),
  );
const refusal = (sale: Sale, more: { userId?: number; amount?: number; of?: Shop } = {}) =>
  refusalToPay(
    sql,
    more.of ?? shop,
    {
      ...{ workspaceId, saleId: sale.id, currency: sale.currency },
      ...{ userId: more.userId ?? sale.user_id, amount: more.amount ?? sale.amount },
    },
    clock.now(),
  );
const balance = (of = userId) => balanceOf(sql, workspaceId, of);
const findings = () => findingsIn(sql, workspaceId, clock.now());
const told = async () => {
  const jobs = await sql<{ payload: { given: { work: string }; outcome: Record<string, unknown> } }[]>`
    select payload from graphile_worker._private_jobs order by id`;
  return jobs.flatMap(({ payload: { outcome } }) =>
    outcome.workspace_id === workspaceId ? [outcome.kind] : [],
  );
};
const events = async () => {
  const rows = await sql<{ action: string }[]>`
    select action from workspaces.events where workspace_id = ${workspaceId} order by ts, id`;
  return rows.map(({ action }) => action);
};
const broughtBy = (referrer: number) =>
  sql`insert into a_product.referrers values (${workspaceId}, ${userId}, ${referrer})`;

describe("a sale", () => {
  // covers payments: F05 Packages
  it("remembers its price when the catalogue changes, and is paid at it", async () => {
    const sale = await aSale();
    const starter = {
      tokens: 10,
      bonus: 0,
      price_rub: 10,
      price_stars: 1,
      subscription_days: null,
      enabled: true,
    };
    await setPackage({ sql, clock }, workspaceId, "starter", starter, { operator: "anna" });
    expect(await pay(sale, "c1")).toEqual({
      ...{ payment_id: expect.any(Number), outcome: "credited", balance: 4_500 },
    });
    expect(sale).toMatchObject({ amount: 195, currency: "XTR", tokens: 3_500, bonus: 500 });
  });

  it("is not made twice by a second tap, and not more than five times in ten minutes", async () => {
    const [one, other] = await Promise.all([aSale(), aSale()]);
    expect(one.id).toBe(other.id);
    for (let index = 2; index <= 5; index += 1) await aSale({ work: `article-${index}` });
    expect(await begin({ work: "article-6" })).toEqual({ ok: false, code: "too_many_purchases" });
    clock.advance(10 * 60_000);
    expect(await begin({ work: "article-6" })).toMatchObject({ ok: true });
  });

  it("of what is not offered, or not as a subscription, is refused", async () => {
    expect(await begin({ code: "poem" })).toEqual({ ok: false, code: "not_sold" });
    expect(await begin({ recurring: true })).toEqual({ ok: false, code: "not_sold" });
    expect(await begin({ code: "pro", recurring: true })).toMatchObject({ ok: true });
  });

  // covers payments: Before money moves
  it("may not be paid by somebody else, at another price, after the price changed, twice, or when it is sold no more", async () => {
    const sale = await aSale();
    expect(await refusal(sale)).toBeUndefined();
    expect(await refusal({ ...sale, id: sale.id + 1_000 })).toBe("sale_unknown");
    expect(await refusal(sale, { userId: userId + 1 })).toBe("user_differs");
    expect(await refusal(sale, { amount: 1 })).toBe("amount_differs");
    expect(await refusal(sale, { of: aPlanShop() })).toBe("sale_unknown");
    const starter = { tokens: 3_500, bonus: 500, price_rub: 3_000, subscription_days: null };
    const set = (more: { price_stars: number; enabled: boolean }) =>
      setPackage({ sql, clock }, workspaceId, "starter", { ...starter, ...more }, { operator: "anna" });
    await set({ price_stars: 200, enabled: true });
    expect(await refusal(sale)).toBe("price_changed");
    await set({ price_stars: 195, enabled: false });
    expect(await refusal(sale)).toBe("not_sold");
    await set({ price_stars: 195, enabled: true });
    await pay(sale, "c1");
    expect(await refusal(sale)).toBe("already_paid");
  });

  it("may not be paid after five purchases in ten minutes, whenever they were begun", async () => {
    const sales: Sale[] = [];
    for (let index = 1; index <= 6; index += 1) {
      sales.push(await aSale({ work: `article-${index}` }));
      clock.advance(3 * 60_000);
    }
    for (const [index, sale] of sales.slice(0, 5).entries()) await pay(sale, `c${index}`);
    const [last] = sales.slice(5);
    expect(last && (await refusal(last))).toBe("too_many_purchases");
    clock.advance(11 * 60_000);
    expect(last && (await refusal(last))).toBeUndefined();
  });
});

describe("a charge", () => {
  // covers payments: Once by charge
  it("is credited once by its id, however often and by however many it is told of", async () => {
    const sale = await aSale();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => pay(sale, "c1")));
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([
      "credited",
      ...Array.from({ length: 5 }, () => "repeated"),
    ]);
    expect([await balance(), await findings(), await told(), await events()]).toEqual([
      ...[4_500, [], ["paid"], ["payment_completed"]],
    ]);
  });

  // covers payments: E51 Going on after a top-up
  it("tells its product what was bought and what it gave with the sale, so that it offers to go on", async () => {
    const sale = await aSale({ work: "article-7" });
    await pay(sale, "c1");
    const [job] = await sql<{ identifier: string; payload: unknown }[]>`
      select t.identifier, j.payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id`;
    expect(job?.identifier).toBe("a_product.sold");
    expect(shop.outcomes.check(job?.payload)).toMatchObject({
      given: { work: "article-7" },
      outcome: {
        kind: "paid",
        user_id: userId,
        package: "starter",
        tokens: 3_500,
        balance: 4_500,
        amount: 195,
      },
    });
  });

  it.each([
    ["amount_differs", { amount: 194 }],
    ["amount_differs", { currency: "RUB" }],
    ["user_differs", { userId: 987_654 }],
    ["sale_unknown", { saleId: null }],
    ["sale_unknown", { saleId: 999_999_999 }],
  ])(
    "that is unlike its sale (%s) credits nothing, is told to operators, and can be given back",
    async (fault, more) => {
      const sale = await aSale();
      const { outcome, payment_id: paymentId } = await pay(sale, "c1", more);
      expect([outcome, await balance(), await findings()]).toEqual([fault, 1_000, []]);
      expect((await pay(sale, "c1", more)).outcome).toBe("repeated");
      const alerts =
        await sql`select reason from delivery.monitor_findings(${workspaceId}, '{}', ${clock.now()})`;
      expect(alerts.map(({ reason }) => reason)).toContain("payment_refused");
      await recordRefund(
        sql,
        { workspaceId, paymentId, refunded: "amount" in more ? more.amount : 195 },
        clock.now(),
      );
      expect([await balance(), await findings()]).toEqual([1_000, []]);
    },
  );

  it("of an expected payment that was given up is credited when the money comes after all", async () => {
    const sale = await aSale();
    const [expected] = await sql<[{ id: number }]>`
      select p.id from billing.expect_payment(${workspaceId}, ${sale.id}, ${clock.now()}) p`;
    const [again] =
      await sql`select p.id from billing.expect_payment(${workspaceId}, ${sale.id}, ${clock.now()}) p`;
    expect(again?.id).toBe(expected.id);
    await sql`select billing.fail_payment(${workspaceId}, ${expected.id}, 'expired_on_confirmation', ${clock.now()})`;
    expect(await pay(sale, "c1", { paymentId: expected.id })).toMatchObject({
      ...{ payment_id: expected.id, outcome: "credited" },
    });
    expect([await balance(), await told()]).toEqual([4_500, ["failed", "paid"]]);
  });
});

describe("a subscription", () => {
  const month = 30 * day;
  const ends = (months: number) => new Date(new Date("2026-11-15T12:00:00Z").getTime() + months * month);
  const mine = () => subscriptionOf(sql, { workspaceId, userId, product: "a_product" });
  const first = (sale: Sale) => pay(sale, "s1", { expiresAt: ends(1), isFirst: true });

  // covers payments: Subscriptions
  it("begins with its first charge, is credited again with each renewal, once for each", async () => {
    const sale = await aSale({ code: "pro", recurring: true });
    await first(sale);
    clock.set(ends(1));
    for (let time = 0; time < 3; time += 1) await pay(sale, "s2", { expiresAt: ends(2), isFirst: false });
    expect(await mine()).toMatchObject({
      status: "active",
      renewals: 1,
      period_end: ends(2),
      charge_id: "s1",
    });
    expect([await balance(), await findings(), await told()]).toEqual([15_400, [], ["paid", "renewed"]]);
  });

  it("is the same when its charges are told of in the wrong order", async () => {
    const sale = await aSale({ code: "pro", recurring: true });
    await pay(sale, "s2", { expiresAt: ends(2), isFirst: false });
    await first(sale);
    await pay(sale, "s2", { expiresAt: ends(2), isFirst: false });
    expect(await mine()).toMatchObject({ status: "active", period_end: ends(2), charge_id: "s1" });
    expect([await balance(), await findings()]).toEqual([15_400, []]);
  });

  it("that was cancelled lasts to its end and is told of once; one that is not paid for is paused, then ends", async () => {
    const sale = await aSale({ code: "pro", recurring: true });
    await first(sale);
    const cancel = async () => {
      const id = (await mine())?.id ?? 0;
      await sql`select billing.change_subscription(${workspaceId}, ${id}, 'cancelled', ${clock.now()})`;
    };
    await cancel();
    await cancel();
    expect(await mine()).toMatchObject({ status: "cancelled", period_end: ends(1) });
    clock.set(ends(1));
    await reviewSubscriptions(sql, clock.now());
    await reviewSubscriptions(sql, clock.now());
    expect(await mine()).toBeUndefined();
    expect(await told()).toEqual(["paid", "cancelled", "ended"]);

    const other = await aSale({ code: "business", recurring: true });
    await pay(other, "b1", { expiresAt: ends(2), isFirst: true });
    clock.set(new Date(ends(2).getTime() + 3_600_000));
    await reviewSubscriptions(sql, clock.now());
    expect(await mine()).toMatchObject({ status: "paused" });
    // The payment arrives after all.
    await pay(other, "b2", { expiresAt: ends(3), isFirst: false });
    expect(await mine()).toMatchObject({ status: "active", period_end: ends(3) });
    clock.set(new Date(ends(3).getTime() + 3_600_000));
    await reviewSubscriptions(sql, clock.now());
    clock.advance(3 * day);
    await reviewSubscriptions(sql, clock.now());
    expect(await mine()).toBeUndefined();
    expect((await told()).slice(3)).toEqual(["paid", "paused", "renewed", "paused", "ended"]);
  });

  it("is not bought a second time while it is active", async () => {
    const sale = await aSale({ code: "pro", recurring: true });
    await first(sale);
    expect(await refusal(await aSale({ code: "business", recurring: true }))).toBe("already_subscribed");
  });

  it("that we charge ourselves is asked to be paid for once for each period, and warned of a day before", async () => {
    const sale = await aSale({ code: "pro", recurring: true });
    await pay(sale, "y1", { methodId: "card-1", payer: "card-1" });
    const id = (await mine())?.id ?? 0;
    clock.set(new Date(ends(1).getTime() - day));
    for (let time = 0; time < 2; time += 1)
      await sql`select billing.warn_of_renewals('stars', p_now => ${clock.now()})`;
    const renew = () => sql`
      select p.id, p.method_id, p.payer, p.status from billing.begin_renewal(${workspaceId}, ${id}, ${clock.now()}) p`;
    expect((await renew())[0]?.id).toBeNull();
    clock.set(new Date(ends(1).getTime() - hour));
    const begun = (await Promise.all([renew(), renew(), renew()])).flat().filter((row) => row.id !== null);
    expect(begun).toMatchObject([{ method_id: "card-1", payer: "card-1", status: "pending" }]);
    await sql`select billing.fail_payment(${workspaceId}, ${begun[0]?.id}, 'insufficient_funds', ${clock.now()})`;
    expect((await renew())[0]?.id).toBeNull();
    expect(await mine()).toMatchObject({ status: "paused", period_end: ends(1) });
    expect(await told()).toEqual(["paid", "renewal_soon", "renewal_failed"]);
  });
});

it("a workspace whose people are still charged is not deleted; otherwise its sales and payments go with it", async () => {
  const sale = await aSale({ code: "pro", recurring: true });
  await pay(sale, "s1", { isFirst: true });
  const busy = async () => {
    const [row] = await sql`select billing.workspace_busy(${workspaceId}) as busy`;
    return row?.busy;
  };
  expect(await busy()).toBe(true);
  const { id = 0 } = (await subscriptionOf(sql, { workspaceId, userId, product: "a_product" })) ?? {};
  await sql`select billing.change_subscription(${workspaceId}, ${id}, 'cancelled', ${clock.now()})`;
  expect(await busy()).toBe(false);
  await sql`delete from workspaces.workspaces where workspace_id = ${workspaceId}`;
  const left = await sql`select from billing.payments where workspace_id = ${workspaceId}`;
  expect(left.length).toBe(0);
});

describe("a plan", () => {
  it("has no tokens; bought again before it ends, it lasts longer; refunded, it ends earlier", async () => {
    const of = aPlanShop();
    const until = async () => {
      const [row] = await sql`select billing.paid_until(${workspaceId}, 4242, 'a_plan') as until`;
      return row?.until;
    };
    const buy = async (chargeId: string, work: string) =>
      pay(await aSale({ of, code: "plan", by: 4242, work }), chargeId);
    await buy("p1", "a");
    expect(await until()).toEqual(new Date("2026-12-15T12:00:00Z"));
    clock.advance(5 * day);
    const second = await buy("p2", "b");
    expect(await until()).toEqual(new Date("2027-01-14T12:00:00Z"));
    await recordRefund(sql, { workspaceId, paymentId: second.payment_id, refunded: 250 }, clock.now());
    expect(await until()).toEqual(new Date("2026-12-15T12:00:00Z"));
    expect([await balance(4242), await findings(), await told()]).toEqual([
      ...[undefined, [], ["paid", "paid", "refunded"]],
    ]);
  });
});

describe("a referral", () => {
  // covers payments: F19 Referral
  it("is a tenth of the nominal price of every payment, renewals included, and is told to whoever brought the payer", async () => {
    const referrer = await aPerson(sql, workspaceId);
    await broughtBy(referrer);
    const sale = await aSale({ code: "pro", recurring: true });
    await pay(sale, "s1", { isFirst: true });
    clock.advance(30 * day);
    await pay(sale, "s2", { isFirst: false });
    await pay(sale, "s2", { isFirst: false });
    expect([await balance(referrer), await findings()]).toEqual([2_200, []]);
    expect(await told()).toEqual(["paid", "referral_bonus", "renewed", "referral_bonus"]);
  });

  // covers payments: Refunds
  it("goes back with the money after it was spent, and the payer's tokens with it", async () => {
    const referrer = await aPerson(sql, workspaceId);
    await broughtBy(referrer);
    const { payment_id: paymentId } = await pay(await aSale(), "c1");
    await sql`select billing.charge_balance(${workspaceId}, ${userId}, 4400)`;
    await sql`select billing.charge_balance(${workspaceId}, ${referrer}, 1300)`;
    await recordRefund(sql, { workspaceId, paymentId, refunded: 195 }, clock.now());
    await recordRefund(sql, { workspaceId, paymentId, refunded: 195 }, clock.now());
    expect([await balance(), await balance(referrer), await findings()]).toEqual([-3_400, -300, []]);
    expect(await told()).toEqual(["paid", "referral_bonus", "refunded"]);
  });
});
