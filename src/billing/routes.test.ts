import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aWorkspace } from "../delivery/testing/builders.ts";
import { startTestHttpServer, type TestHttpServer } from "../http/testing/http-server.ts";
import { systemClock as clock } from "../kernel/clock/index.ts";
import {
  billingRoutes,
  createLedger,
  type PaymentProvider,
  type ProviderAnswer,
  providersOf,
} from "./index.ts";
import { aPayment, aPerson } from "./testing/builders.ts";

let database: TestDatabase;
let server: TestHttpServer;
let workspaceId: string;
let userId: number;
let headers: { authorization: string };

/** The provider's answers to the next refunds; `done` by default. */
const answers: ProviderAnswer[] = [];
const provider: PaymentProvider = {
  name: "stars",
  refund: async () => answers.shift() ?? { kind: "done" },
  payments: async () => [],
};

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  await sql`select workspaces.ensure_event_partitions()`;
  server = await startTestHttpServer({
    sql,
    clock,
    modules: [billingRoutes({ sql, clock, usdRub: 92.5, providers: providersOf([provider]) })],
  });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});
beforeEach(async () => {
  workspaceId = await aWorkspace(database.sql);
  userId = await aPerson(database.sql, workspaceId);
  headers = await server.bearer(["read", "people", "admin"], workspaceId);
});

async function call(method: string, path: string, body?: unknown) {
  const answer = await server.call(`/api/v1/billing${path}`, {
    ...{ method, headers },
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
const events = (action: string) => database.sql`
  select meta from workspaces.events where workspace_id = ${workspaceId} and action = ${action}`;

describe("an adjustment", () => {
  it("moves tokens once under its key, with a reason in the audit trail", async () => {
    const adjusted = { tokens: 500, reason: "извинение за сбой", key: "ticket-7" };
    for (let time = 0; time < 2; time += 1)
      expect(await call("POST", `/users/${userId}/adjust`, adjusted)).toEqual({
        status: 200,
        body: { user_id: userId, tokens: 500, balance: 1_500 },
      });
    expect([...(await events("balance_adjusted"))]).toMatchObject([
      { meta: { user_id: userId, tokens: 500, balance: 1_500, reason: "извинение за сбой" } },
    ]);
    expect(await call("POST", `/users/${userId}/adjust`, { ...adjusted, tokens: 600 })).toMatchObject({
      ...{ status: 409, body: { code: "key_reused" } },
    });
  });

  it("takes no more than there is, nothing from a stranger, and wants a reason and a number", async () => {
    const adjust = (body: object, id = userId) => call("POST", `/users/${id}/adjust`, body);
    expect(await adjust({ tokens: -1_001, reason: "ошибка" })).toMatchObject({
      status: 409,
      body: { code: "insufficient_balance", detail: "1001 tokens are needed, there are 1000." },
    });
    expect(await adjust({ tokens: 5, reason: "ошибка" }, 999_999)).toMatchObject({ status: 404 });
    expect(await adjust({ tokens: 5 })).toMatchObject({ status: 400 });
    expect(await adjust({ tokens: 0, reason: "ошибка" })).toMatchObject({ status: 400 });
    expect([...(await events("balance_adjusted"))]).toEqual([]);
    await database.sql`
      select billing.credit_balance(${workspaceId}, ${userId}, 2147482000)`;
    expect(await adjust({ tokens: 1_000, reason: "ошибка" })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/tokens" }] },
    });
  });
});

describe("lists", () => {
  it("show people, their movements and their holds page by page, and record the reading", async () => {
    const ledger = createLedger(database.sql, clock);
    const work = { workspaceId, userId, step: "text", operation: "text_generation", tokens: 100 };
    for (const run of ["one", "two", "three"]) await ledger.hold({ ...work, run });
    await ledger.giveBack(workspaceId, "one", "cancelled");
    await aPerson(database.sql, workspaceId);
    const people = await call("GET", "/users?limit=1");
    const others = await call("GET", `/users?limit=1&after=${people.body.next}`);
    expect(others.body).toMatchObject({ items: [{ user_id: userId, balance: 800, held: 200 }], next: null });
    const spent = await call("GET", `/users/${userId}/movements?kind=spent&limit=2`);
    expect(spent.body.items.map(({ amount }: { amount: number }) => amount)).toEqual([-100, -100]);
    expect(spent.body.next).toEqual(expect.any(String));
    const held = await call("GET", "/holds?state=held&limit=1");
    const rest = await call("GET", `/holds?state=held&limit=1&after=${held.body.next}`);
    const runs = [...held.body.items, ...rest.body.items].map(({ run }: { run: string }) => run);
    expect(runs.toSorted()).toEqual(["three", "two"]);
    expect((await events("people_read")).length).toBeGreaterThanOrEqual(5);
  });
});

describe("the catalogue", () => {
  it("is the release's until somebody changes a row, and keeps the change in the audit trail", async () => {
    const listed = await call("GET", "/packages");
    expect(listed.body.items).toHaveLength(5);
    const { code, ...mini } = listed.body.items[0];
    expect(
      await call("PUT", `/packages/${code}`, { ...mini, price_rub: 900, reason: "акция" }),
    ).toMatchObject({
      body: { code: "mini", price_rub: 900 },
    });
    expect((await call("GET", "/packages")).body.items[0]).toMatchObject({ code: "mini", price_rub: 900 });
    expect(await call("PUT", "/packages/mini", { ...mini, bonus: mini.tokens })).toMatchObject({
      ...{ status: 422, body: { errors: [{ pointer: "/bonus" }] } },
    });
    await call("PUT", "/prices/audit", { tokens: 40, unit: "piece" });
    const prices = await call("GET", "/prices");
    expect(prices.body.items).toContainEqual({ operation: "audit", tokens: 40, unit: "piece" });
    expect(await call("PATCH", "/settings", { referral_percent: 12 })).toMatchObject({
      body: { referral_percent: 12, token_rub: 1 },
    });
    expect(await events("config_changed")).toHaveLength(3);
  });
});

describe("the books", () => {
  it("are proved and reported over HTTP", async () => {
    expect(await call("GET", "/check")).toMatchObject({
      status: 200,
      body: { right: true, people: 1, findings: [] },
    });
    expect(await call("GET", "/report")).toMatchObject({
      body: { usd_rub: 92.5, days: [{ tokens_given: 1_000, tokens_spent: 0 }] },
    });
  });
});

describe("payments", () => {
  it("are listed with their faults, read, and given back with a reason; a refusal of the provider changes nothing", async () => {
    const { sql } = database;
    const payment = await aPayment(sql, workspaceId, { userId, provider: "stars", stars: 195 });
    await sql`update billing.payments set charge_id = 'c1' where workspace_id = ${workspaceId}`;
    await sql`select billing.complete_payment(${workspaceId}, ${payment})`;
    expect((await call("GET", `/payments?user_id=${userId}`)).body.items).toMatchObject([
      { id: payment, status: "completed", amount: 195, currency: "XTR", charge_id: "c1" },
    ]);
    expect((await call("GET", "/payments?faulty=true")).body.items).toEqual([]);
    expect(await call("GET", `/payments/${payment + 1_000}`)).toMatchObject({ status: 404 });
    expect(await call("POST", `/payments/${payment}/refund`, {})).toMatchObject({ status: 400 });
    const refund = (more: object = {}) =>
      call("POST", `/payments/${payment}/refund`, { reason: "попросил вернуть", ...more });
    answers.push({ kind: "refused", reason: "Stars go back only as a whole" });
    expect(await refund({ amount: 100 })).toMatchObject({ status: 409, body: { code: "provider_refused" } });
    answers.push({ kind: "unknown", reason: "Telegram could not be reached" });
    expect(await refund()).toMatchObject({ status: 503, body: { code: "provider_unheard" } });
    expect(await refund({ amount: 196 })).toMatchObject({ status: 422 });
    expect(await refund()).toMatchObject({
      ...{ status: 200, body: { payment: { status: "refunded", refunded_tokens: 3_500 }, balance: 1_000 } },
    });
    expect(await refund()).toMatchObject({ status: 409, body: { code: "payment_not_refundable" } });
    const audit = await sql`
      select meta from workspaces.events where workspace_id = ${workspaceId} and meta ->> 'object' = 'billing_refund'`;
    expect(audit.map(({ meta }) => meta.reason)).toContain("попросил вернуть");
    expect((await call("GET", "/subscriptions")).body.items).toEqual([]);
  });
});
