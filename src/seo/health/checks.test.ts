import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type PostgresRelay, startPostgresRelay } from "../../../tests/support/postgres-relay.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { demoAccount } from "../../../twins/qstash/store.ts";
import { startTestTwins, type TestTwins } from "../../../twins/shared/testing.ts";
import { createCore } from "../../configured/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { connect } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { configFrom } from "../../modules.ts";
import { healthOf } from "./checks.ts";
import { healthRoute } from "./health-route.ts";

const token = "a-token-of-sixteen-and-more";
const withinMs = 4_000;
const clock = manualClock();

let database: TestDatabase;
let relay: PostgresRelay;
let twins: TestTwins;
let server: TestHttpServer;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  database = await testDatabase();
  relay = await startPostgresRelay(database.url);
  twins = await startTestTwins();
  const environment = {
    ...{ MOLVA_HOME: tempFolder("health"), DATABASE_URL: relay.url, QSTASH_TOKEN: demoAccount.token },
    ...{ QSTASH_URL: `${twins.url}/qstash`, QSTASH_CURRENT_SIGNING_KEY: demoAccount.keys.current },
    QSTASH_NEXT_SIGNING_KEY: demoAccount.keys.next,
  };
  const sql = connect({ url: relay.url, max: 4, name: "health" });
  const core = await createCore({
    ...{ config: configFrom(environment), environment, twinsUrl: twins.url, sql, databaseUrl: relay.url },
    ...{ clock, log: silentLog },
  });
  const health = healthOf(core, { withinMs });
  server = await startTestHttpServer({
    sql: database.sql,
    modules: [healthRoute({ health, version: "2.0.0", token, uptimeSeconds: () => 86_400 })],
  });
  closing.push(
    () => server.stop(),
    () => core.close(),
    () => sql.end({ timeout: 1 }),
    () => relay.close(),
    () => twins.close(),
    () => database.drop(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});
beforeEach(async () => {
  await twins.control("POST", "/reset");
  // Results are reused for a while.
  clock.advance(60_000);
});

interface Answer {
  readonly status: string;
  readonly checks: Readonly<Record<string, { readonly status: string; readonly latency_ms?: number }>>;
}

async function ask(): Promise<{ code: number; status: string; failed: string[]; body: Answer }> {
  const answer = await server.call("/api/health", { headers: { authorization: `Bearer ${token}` } });
  const body: Answer = JSON.parse(await answer.text());
  const failed = Object.entries(body.checks).flatMap(([name, { status }]) => (status === "ok" ? [] : [name]));
  return { code: answer.status, status: body.status, failed, body };
}

/** The same without the token, from the same checks. */
async function glance() {
  const answer = await server.call("/api/health");
  return [answer.status, await answer.json()];
}

const fault = (provider: string, kind: object) =>
  twins.control("POST", "/faults", { provider, fault: kind, times: 100 });

it("is ok while the database, the store, OpenRouter and QStash answer, and tells how fast", async () => {
  const { body, ...found } = await ask();
  expect(found).toEqual({ code: 200, status: "ok", failed: [] });
  expect(Object.keys(body.checks)).toEqual(["database", "redis", "openrouter", "qstash"]);
  for (const { latency_ms } of Object.values(body.checks)) expect(latency_ms).toBeGreaterThanOrEqual(0);
  expect(await glance()).toEqual([200, { status: "ok", version: "2.0.0" }]);
});

it.each([
  ["openrouter", { kind: "status", status: 503 }],
  ["openrouter", { kind: "status", status: 401 }],
  ["openrouter", { kind: "drop_before" }],
  ["qstash", { kind: "status", status: 401 }],
  ["qstash", { kind: "status", status: 500 }],
  ["qstash", { kind: "malformed" }],
] as const)("is degraded while %s answers with %j, and serves", async (provider, kind) => {
  await fault(provider, kind);
  expect(await ask()).toMatchObject({ code: 200, status: "degraded", failed: [provider] });
  expect(await glance()).toEqual([200, { status: "degraded", version: "2.0.0" }]);
});

it("is degraded when QStash signs with a key that is not known here, and not while it signs with the next one", async () => {
  await twins.control("POST", "/qstash/keys/rotate");
  expect(await ask()).toMatchObject({ status: "ok", failed: [] });
  await twins.control("POST", "/qstash/keys/rotate");
  clock.advance(60_000);
  expect(await ask()).toMatchObject({ code: 200, status: "degraded", failed: ["qstash"] });
});

it.each(["openrouter", "qstash"])(
  "does not wait for %s that never answers longer than its limit",
  async (provider) => {
    await fault(provider, { kind: "hang" });
    const began = performance.now();
    expect(await ask()).toMatchObject({ code: 200, status: "degraded", failed: [provider] });
    expect(performance.now() - began).toBeGreaterThanOrEqual(withinMs - 50);
    expect(performance.now() - began).toBeLessThan(withinMs * 2);
  },
);

it("is down when the store of keys fails although the database works", async () => {
  await database.sql`alter table molva.kv rename to kv_gone`;
  expect(await ask()).toMatchObject({ code: 503, status: "down", failed: ["redis"] });
  expect(await glance()).toEqual([503, { status: "down", version: "2.0.0" }]);
  await database.sql`alter table molva.kv_gone rename to kv`;
  clock.advance(60_000);
  expect(await ask()).toMatchObject({ code: 200, status: "ok" });
});

it("is down when the database does not answer within its limit, and again well when it does", async () => {
  const stopped = relay.stopAt("before", "select 1");
  const found = await ask();
  await stopped;
  expect(found).toMatchObject({ code: 503, status: "down", failed: ["database"] });
  clock.advance(60_000);
  expect(await ask()).toMatchObject({ code: 200, status: "ok" });
});

it("is down when the database cannot be reached", async () => {
  await relay.close();
  expect(await ask()).toMatchObject({ code: 503, status: "down", failed: ["database", "redis"] });
  expect(await glance()).toEqual([503, { status: "down", version: "2.0.0" }]);
});
