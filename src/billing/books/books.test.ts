import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { createLedger } from "../ledger/ledger.ts";
import { refusalOf } from "../ledger/refusals.ts";
import { aPayment, aPerson, balanceOf, findingsIn } from "../testing/builders.ts";
import { checkAllBooks, checkBooks } from "./check.ts";
import { returnLostHolds } from "./lost-holds.ts";
import { readReport } from "./report.ts";

let database: TestDatabase;
let sql: Sql;
let workspaceId: string;
let userId: number;
const clock = manualClock();
const hour = 3_600_000;

beforeAll(async () => {
  database = await testDatabase();
  sql = database.sql;
  // A product's hooks: its live runs, and who referred whom.
  await sql.unsafe(`
    create schema a_product;
    create table a_product.alive (run text);
    create table a_product.referrers (workspace_id uuid, user_id bigint, referrer_id bigint);
    create function a_product.runs_alive(p_workspace_id uuid, p_runs text[], p_now timestamptz) returns setof text
      language sql stable as 'select run from a_product.alive where run = any (p_runs)';
    create function a_product.referrer_of(p_workspace_id uuid, p_user_id bigint) returns bigint
      language sql stable as
      'select referrer_id from a_product.referrers r where r.workspace_id = p_workspace_id and r.user_id = p_user_id'`);
});
afterAll(() => database?.drop());
beforeEach(async () => {
  clock.set(new Date("2026-11-15T12:00:00Z"));
  await sql`select workspaces.ensure_event_partitions(p_now => ${clock.now()})`;
  workspaceId = await aWorkspace(sql);
  userId = await aPerson(sql, workspaceId);
});

const ledger = () => createLedger(sql, clock);
const balance = (of = userId) => balanceOf(sql, workspaceId, of);
const complete = (payment: number) =>
  sql`select billing.complete_payment(${workspaceId}, ${payment}, ${clock.now()})`;
const refund = (payment: number, money: number) =>
  sql`select billing.refund_payment(${workspaceId}, ${payment}, ${money}, ${clock.now()})`;
const codeOf = (attempt: PromiseLike<unknown>) =>
  Promise.resolve(attempt).then(
    () => "done",
    (error: unknown) => refusalOf(error)?.code ?? String(error),
  );
const findings = () => findingsIn(sql, workspaceId, clock.now());
const events = (action: string) => sql`
  select meta, error from workspaces.events where workspace_id = ${workspaceId} and action = ${action} order by ts`;
const holdFor = (run: string, tokens = 100) =>
  ledger().hold({ workspaceId, userId, run, step: "text", operation: "text_generation", tokens });
const broughtBy = (referrer: number, of = userId) =>
  sql`insert into a_product.referrers values (${workspaceId}, ${of}, ${referrer})`;

describe("a payment", () => {
  it("is credited once, however often it is told of", async () => {
    const payment = await aPayment(sql, workspaceId, { userId });
    await Promise.all(Array.from({ length: 6 }, () => complete(payment)));
    await complete(payment);
    expect([await balance(), await findings()]).toEqual([4_500, []]);
  });

  it("that was given up is credited when it comes after all", async () => {
    const payment = await aPayment(sql, workspaceId, { userId });
    await sql`update billing.payments set status = 'failed' where workspace_id = ${workspaceId} and id = ${payment}`;
    await complete(payment);
    expect(await balance()).toBe(4_500);
  });

  it("takes its tokens back in parts, rounded down and never twice, below zero when they are spent", async () => {
    const payment = await aPayment(sql, workspaceId, { userId, tokens: 1_000, bonus: 0, rub: 999 });
    await complete(payment);
    await sql`select billing.charge_balance(${workspaceId}, ${userId}, 1900)`;
    await refund(payment, 333);
    expect(await balance()).toBe(100 - 333);
    // A repeated notification, and an older sum that comes late.
    await refund(payment, 333);
    await refund(payment, 100);
    await refund(payment, 999);
    expect(await balance()).toBe(100 - 1_000);
    expect(await codeOf(refund(payment, 1_000))).toBe("refund_exceeds_payment");
    expect(await findings()).toEqual([]);
    const { debt } = await checkBooks(sql, workspaceId, clock.now());
    expect(debt).toBe(900);
  });

  it("that pays a debt leaves the rest, and while it stands nothing can be held", async () => {
    const first = await aPayment(sql, workspaceId, { userId, tokens: 1_000, bonus: 0, rub: 1_000 });
    await complete(first);
    await sql`select billing.charge_balance(${workspaceId}, ${userId}, 2000)`;
    await refund(first, 1_000);
    expect(await holdFor("run-1", 1)).toEqual({ ok: false, balance: -1_000, needed: 1 });
    await complete(await aPayment(sql, workspaceId, { userId }));
    expect(await balance()).toBe(2_500);
    expect(await findings()).toEqual([]);
  });

  it("that has not come is not refunded", async () => {
    const payment = await aPayment(sql, workspaceId, { userId });
    expect(await codeOf(refund(payment, 100))).toBe("payment_not_completed");
    expect(await codeOf(complete(payment + 1_000_000))).toBe("payment_unknown");
  });

  it("keeps its price and its tokens once it came", async () => {
    const payment = await aPayment(sql, workspaceId, { userId });
    await complete(payment);
    for (const change of [
      sql`update billing.payments set tokens_amount = 9000 where id = ${payment}`,
      sql`update billing.payments set status = 'pending' where id = ${payment}`,
      sql`delete from billing.payments where id = ${payment}`,
      sql`update billing.sales set price_rub = 1 where workspace_id = ${workspaceId}`,
    ])
      await expect(change).rejects.toThrow("is never changed");
  });
});

describe("a referral", () => {
  it("gives a tenth of the price to whoever brought the payer, once for each payment", async () => {
    const referrer = await aPerson(sql, workspaceId);
    await broughtBy(referrer);
    const payment = await aPayment(sql, workspaceId, { userId });
    await Promise.all([complete(payment), complete(payment)]);
    expect(await balance(referrer)).toBe(1_300);
    await complete(await aPayment(sql, workspaceId, { userId, provider: "stars", stars: 195 }));
    expect([await balance(referrer), await findings()]).toEqual([1_600, []]);
  });

  it("goes back with the payment, below zero if it must", async () => {
    const referrer = await aPerson(sql, workspaceId);
    await broughtBy(referrer);
    const payment = await aPayment(sql, workspaceId, { userId });
    await complete(payment);
    await sql`select billing.charge_balance(${workspaceId}, ${referrer}, 1300)`;
    await refund(payment, 1_500);
    expect(await balance(referrer)).toBe(-150);
    await refund(payment, 3_000);
    expect([await balance(referrer), await findings()]).toEqual([-300, []]);
  });

  // covers payments: F19 Referral; E14 The referrer is gone
  it("is lost when the referrer is gone, is the payer, or has paid from the same purse", async () => {
    const referrer = await aPerson(sql, workspaceId);
    const paid = async (payer: string | null = null) => {
      const payment = await aPayment(sql, workspaceId, { userId, payer });
      await complete(payment);
      const [row] =
        await sql`select referral_bonus_credited as given from billing.payments where id = ${payment}`;
      return row?.given;
    };
    await broughtBy(424_242);
    expect(await paid()).toBe(false);
    await sql`update a_product.referrers set referrer_id = ${userId} where workspace_id = ${workspaceId}`;
    expect(await paid()).toBe(false);
    await sql`update a_product.referrers set referrer_id = ${referrer} where workspace_id = ${workspaceId}`;
    await complete(await aPayment(sql, workspaceId, { userId: referrer, payer: "purse-1" }));
    expect([await paid("purse-1"), await paid("purse-2")]).toEqual([false, true]);
  });

  it("of two who brought each other does not lock them forever", async () => {
    const other = await aPerson(sql, workspaceId);
    await broughtBy(other);
    await broughtBy(userId, other);
    const mine = await Promise.all([1, 2, 3].map(() => aPayment(sql, workspaceId, { userId })));
    const theirs = await Promise.all([1, 2, 3].map(() => aPayment(sql, workspaceId, { userId: other })));
    await Promise.all([...mine, ...theirs].map(complete));
    expect([await balance(), await balance(other)]).toEqual([1_000 + 3 * 3_800, 1_000 + 3 * 3_800]);
  });
});

describe("a hold that nobody ends", () => {
  it("goes back after an hour with an event, but for work that its product still knows", async () => {
    await holdFor("forgotten");
    await holdFor("previewed");
    await sql`insert into a_product.alive values ('previewed')`;
    clock.advance(hour - 1);
    expect(await returnLostHolds(sql, clock.now())).toEqual([]);
    clock.advance(1);
    expect(await returnLostHolds(sql, clock.now())).toEqual([
      { workspace_id: workspaceId, run: "forgotten" },
    ]);
    expect(await balance()).toBe(900);
    expect([...(await events("hold_returned"))]).toMatchObject([
      { meta: { run: "forgotten", user_id: userId, tokens: 100 } },
    ]);
    // The work resumes too late: nothing is charged twice.
    expect(await ledger().settle(workspaceId, "forgotten", "published")).toBe(0);
    await sql`delete from a_product.alive`;
    await returnLostHolds(sql, clock.now());
    expect([await balance(), await findings()]).toEqual([1_000, []]);
  });

  it("is found once by several jobs at the same time", async () => {
    for (const run of ["a", "b", "c"]) await holdFor(run);
    clock.advance(hour);
    const found = await Promise.all([1, 2, 3].map(() => returnLostHolds(sql, clock.now())));
    expect(
      found
        .flat()
        .map(({ run }) => run)
        .toSorted(),
    ).toEqual(["a", "b", "c"]);
    expect(await balance()).toBe(1_000);
  });
});

describe("the check", () => {
  it("finds a balance that somebody wrote by hand, and tells people once", async () => {
    await sql`update billing.users set balance = 5000 where workspace_id = ${workspaceId}`;
    expect(await checkBooks(sql, workspaceId, clock.now())).toMatchObject({
      right: false,
      findings: [{ finding: "balance_differs", subject: String(userId) }],
    });
    expect(await checkAllBooks(sql, clock.now())).toContainEqual({ workspace_id: workspaceId, findings: 1 });
    await checkAllBooks(sql, clock.now());
    expect([...(await events("billing_discrepancy"))]).toMatchObject([
      { meta: { findings: 1, kinds: { balance_differs: 1 } } },
    ]);
    const told =
      await sql`select reason from delivery.monitor_findings(${workspaceId}, '{}', ${clock.now()})`;
    expect(told.map(({ reason }) => reason)).toContain("billing_discrepancy");
    await sql`update billing.users set balance = 1000 where workspace_id = ${workspaceId}`;
  });

  it("finds a transfer without a line in the history, a hold without entries and a credit without a payment", async () => {
    await sql`
      insert into billing.holds (workspace_id, run, step, user_id, operation, charged, amount, created_at)
      values (${workspaceId}, 'by-hand', 'text', ${userId}, 'audit', 10, 10, ${clock.now()})`;
    await sql`
      insert into billing.transfers (workspace_id, key, kind, user_id, provider, tokens, revenue, created_at)
      values (${workspaceId}, 'payment/777', 'purchase', ${userId}, 'stars', 5, -5, ${clock.now()})`;
    expect(await findings()).toEqual([
      "balance_differs",
      "expense_differs",
      "hold_differs",
      "payment_differs",
    ]);
  });

  it("finds work that nobody works on if the job does not", async () => {
    await holdFor("forgotten");
    clock.advance(3 * hour);
    expect(await findings()).toEqual(["hold_without_work"]);
  });

  it("compares what calls have cost with what the history says", async () => {
    const callOf = async (user: string, cost: number) => {
      const [call] = await sql<[{ call_id: string }]>`
        insert into llm.calls (workspace_id, policy, user_id, kind, prompt, prompt_version, status, cost_usd, started_at, expires_at,
          finished_at)
        values (${workspaceId}, 'article', ${user}, 'text', 'p', 1, 'ok', ${cost}, ${clock.now()}, ${clock.now()}, ${clock.now()})
        returning call_id`;
      return call.call_id;
    };
    const cost = { workspaceId, userId, provider: "openrouter", operation: "text_generation", costUsd: 0.12 };
    const noted = await callOf(String(userId), 0.12);
    await ledger().noteCost({ ...cost, callId: noted });
    await ledger().noteCost({ ...cost, callId: noted });
    await callOf("somebody-elses-product", 0.5);
    await ledger().noteCost({ ...cost, provider: "serper", callId: "serper-1", costUsd: 0.001 });
    clock.advance(2 * hour);
    expect(await findings()).toEqual([]);
    expect(await codeOf(ledger().noteCost({ ...cost, callId: noted, costUsd: 0.2 }))).toBe("key_reused");

    clock.advance(-2 * hour);
    await callOf(String(userId), 0.3);
    await ledger().noteCost({ ...cost, callId: await callOf(String(userId), 0.3) });
    await ledger().noteCost({ ...cost, callId: "invented" });
    clock.advance(2 * hour);
    expect(await findings()).toEqual(["call_not_noted", "call_unknown", "cost_differs"]);
  });
});

describe("the report", () => {
  it("tells by day what was sold, spent and given back, and by work what it leaves", async () => {
    const payment = await aPayment(sql, workspaceId, { userId });
    await complete(payment);
    await holdFor("article", 200);
    await ledger().noteCost({
      ...{
        workspaceId,
        userId,
        provider: "openrouter",
        callId: "c1",
        costUsd: 0.5,
        operation: "text_generation",
      },
    });
    await ledger().settle(workspaceId, "article", "published");
    // Half past eleven in the evening in London is the next day in Moscow.
    clock.set(new Date("2026-11-15T23:30:00Z"));
    await sql`select billing.charge_balance(${workspaceId}, ${userId}, 50, 'audit', p_now => ${clock.now()})`;
    await refund(payment, 300);
    await refund(payment, 750);
    const inStars = await aPayment(sql, workspaceId, { userId, provider: "stars", stars: 195 });
    await complete(inStars);
    await refund(inStars, 195);
    const report = await readReport(sql, workspaceId, {
      from: new Date("2026-11-15T00:00:00Z"),
      to: new Date("2026-11-17T00:00:00Z"),
      usdRub: 92.5,
    });
    const written = {
      ...{ operation: "text_generation", works: 1, tokens_spent: 200, calls: 1 },
      ...{ cost_usd: 0.5, cost_rub: 46.25, margin_rub: 153.75 },
    };
    const audited = {
      ...{ operation: "audit", works: 1, tokens_spent: 50, calls: 0 },
      ...{ cost_usd: 0, cost_rub: 0, margin_rub: 50 },
    };
    expect(report.days.filter(({ tokens_spent }) => tokens_spent > 0)).toEqual([
      {
        ...{ day: "2026-11-15", revenue_rub: 3_000, revenue_stars: 0, refunded_rub: 0, refunded_stars: 0 },
        ...{ tokens_sold: 3_500, tokens_given: 0, tokens_taken_back: 0, tokens_spent: 200 },
        ...{ cost_usd: 0.5, cost_rub: 46.25, margin_rub: 153.75, operations: [written] },
      },
      {
        ...{
          day: "2026-11-16",
          revenue_rub: 3_000,
          revenue_stars: 195,
          refunded_rub: 3_750,
          refunded_stars: 195,
        },
        ...{ tokens_sold: 3_500, tokens_given: 0, tokens_taken_back: 875 + 3_500, tokens_spent: 50 },
        ...{ cost_usd: 0, cost_rub: 0, margin_rub: 50, operations: [audited] },
      },
    ]);
    expect(report.operations).toEqual([written, audited]);
  });
});
