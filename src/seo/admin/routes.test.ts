import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { recordPayment } from "../../billing/index.ts";
import { aSale } from "../../billing/testing/builders.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { telegramApi } from "../../dialogs/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { broadcastTask } from "../broadcasts/send-broadcast.ts";
import { meet } from "../people/people.ts";
import { seoProblems } from "../problems.ts";
import { officeRoutes } from "./routes.ts";

const http = createProviderClient();
let database: TestDatabase;
let sql: Sql;
let server: TestHttpServer;
let workspaceId: string;
let headers: Record<string, string>;

beforeAll(async () => {
  database = await databaseWithJobs();
  sql = database.sql;
  const api = () => telegramApi({ http, apiRoot: "http://127.0.0.1:9", token: async () => undefined });
  const office = { usdRub: 90, broadcasts: broadcastTask({ sql, clock, bot: "seo-bot", api }) };
  const sources = { isOn: (name: string) => name === "serper" };
  const module = {
    name: "seo",
    problems: seoProblems,
    routes: (app: Parameters<typeof officeRoutes>[0]) => officeRoutes(app, { sql, clock, office, sources }),
  };
  server = await startTestHttpServer({ sql, clock, modules: [module] });
  workspaceId = await aWorkspace(sql);
  headers = await server.bearer(["read", "write", "operate", "people", "admin"], workspaceId);
  for (const [userId, referrerId] of [
    [71, undefined],
    [72, 71],
    [73, 71],
  ] as const)
    await meet(
      { sql, clock, admins: [] },
      { workspaceId, userId },
      { username: `Person_${userId}`, firstName: "Ира", referrerId },
    );
});
afterAll(async () => {
  await server?.stop();
  await http.close();
  await database?.drop();
});

async function call(method: string, path: string, body?: unknown) {
  const answer = await server.call(`/api/v1/seo/admin${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

async function paid(userId: number, chargeId: string): Promise<void> {
  const saleId = await aSale(sql, workspaceId, {
    userId,
    stars: 195,
    provider: "stars",
    product: "seo_tokens",
  });
  await recordPayment(
    sql,
    { workspaceId, provider: "stars", chargeId, saleId, userId, amount: 195, currency: "XTR" },
    clock.now(),
  );
}

describe("the administration over HTTP", () => {
  // covers seo: F19; F20
  it("counts each sum by itself, so that two payments of two referred people are no four", async () => {
    for (const [userId, charge] of [
      [72, "a"],
      [72, "b"],
      [73, "c"],
    ] as const)
      await paid(userId, charge);
    const { body } = await call("GET", "/statistics");
    const [bonus] = await sql`
      select sum(amount)::int as tokens from billing.token_expenses
      where workspace_id = ${workspaceId} and operation_type = 'referral_bonus'`;
    expect(body).toMatchObject({
      users: { all: 3, paid: 2, free: 1 },
      referrals: { invited: 2, payments: 3, tokens: bonus?.tokens },
    });
    expect(body.last_payments).toHaveLength(3);
    expect(body.tariffs.reduce((sum: number, { people }: { people: number }) => sum + people, 0)).toBe(2);
  });

  it("shows the load, what providers cost in dollars and roubles, and what failed", async () => {
    await sql`select billing.note_cost(${workspaceId}, 71, 'api_openrouter', 'c1', 0.5)`;
    await sql`
      insert into seo.runs (workspace_id, user_id, kind, status, input, error, ended_at)
      values (${workspaceId}, 71, 'article', 'failed', '{}', '{"code": "model_failed", "message": {"en": "No model answered", "ru": "Нет"}}', now())`;
    expect((await call("GET", "/costs?days=7")).body).toMatchObject({
      ...{ days: 7, usd_rub: 90, total: { usd: 0.5, rub: 45, calls: 1 } },
      providers: [{ provider: "openrouter", calls: 1, usd: 0.5, rub: 45 }],
    });
    expect((await call("GET", "/costs?days=8")).status).toBe(400);
    expect((await call("GET", "/monitoring")).body).toMatchObject({
      works: { failed_1h: 1 },
      sources: { serper: true, yandex: false },
    });
    expect((await call("GET", "/failures")).body.items).toMatchObject([
      { user_id: 71, what: "article", code: "model_failed", message: "No model answered" },
    ]);
  });

  it("finds a person by id or name, and changes the balance with a reason, once per key", async () => {
    expect((await call("GET", "/find?person=@person_71")).body).toMatchObject({
      id: 71,
      referred: 2,
      blocked_at: null,
    });
    expect((await call("GET", "/find?person=99")).status).toBe(404);
    const given = { tokens: 500, reason: "за ожидание", key: "ticket-1" };
    const before = (await call("GET", "/find?person=71")).body.balance;
    for (let time = 0; time < 2; time += 1)
      expect((await call("POST", "/users/71/adjust", given)).body).toMatchObject({
        id: 71,
        balance: before + 500,
      });
    expect((await call("POST", "/users/71/adjust", { ...given, tokens: -1_000_000, key: "x" })).status).toBe(
      409,
    );
    expect((await call("POST", "/users/99/adjust", given)).status).toBe(404);
  });

  // covers seo: F22
  it("switches automatic notices", async () => {
    expect((await call("PATCH", "/notices", { reactivation: false })).body).toEqual({
      low_balance: true,
      weekly_digest: true,
      reactivation: false,
    });
    expect((await call("GET", "/notices")).body.reactivation).toBe(false);
    expect((await call("PATCH", "/notices", {})).status).toBe(400);
  });

  it("previews a broadcast, sends one at a time, tells how far it is, and stops it", async () => {
    await sql`update seo.users set notify_news = false where workspace_id = ${workspaceId} and id = 73`;
    expect((await call("GET", "/audiences")).body).toEqual({ all: 2, active_7d: 2, active_30d: 2, paid: 1 });
    const news = { audience: "all", text: "  Новость  " };
    expect((await call("POST", "/broadcasts", { ...news, preview: true })).body).toEqual({
      recipients: 2,
      text: "Новость",
      broadcast: null,
    });
    const keyed = { ...news, request_key: "news".padEnd(200, "-") };
    const begun = await call("POST", "/broadcasts", keyed);
    expect(begun.body).toMatchObject({
      recipients: 2,
      broadcast: { status: "sending", left: 2, by_user: null },
    });
    expect((await call("POST", "/broadcasts", news)).body).toMatchObject({
      status: 409,
      code: "broadcast_under_way",
    });
    const { id } = begun.body.broadcast;
    const again = await Promise.all([call("POST", "/broadcasts", keyed), call("POST", "/broadcasts", keyed)]);
    expect(again.map(({ body }) => body.broadcast.id)).toEqual([id, id]);
    expect((await call("GET", `/broadcasts/${id}`)).body).toMatchObject({ sent: 0, recipients: 2 });
    expect((await call("POST", `/broadcasts/${id}/stop`, {})).body).toMatchObject({
      status: "stopped",
      left: 2,
    });
    expect((await call("POST", `/broadcasts/${id}/stop`, {})).body).toMatchObject({ status: "stopped" });
    expect((await call("POST", "/broadcasts", keyed)).body.broadcast).toMatchObject({
      id,
      status: "stopped",
    });
    expect((await call("GET", "/broadcasts?kind=news")).body).toMatchObject({
      items: [{ id, text: "Новость" }],
      next: null,
    });
    expect((await call("GET", "/broadcasts/999999")).status).toBe(404);
  });
});
