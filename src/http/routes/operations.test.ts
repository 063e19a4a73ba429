import { networkInterfaces } from "node:os";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { scopes } from "../index.ts";
import { startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";

let database: TestDatabase;
let server: TestHttpServer | undefined;

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await server?.stop();
});
afterAll(() => database?.drop());

it("says that it is alive even when it is not ready", async () => {
  server = await startTestHttpServer({
    sql: database.sql,
    ready: { database: () => Promise.reject(new Error("down")) },
  });
  const alive = await server.call("/healthz");
  expect([alive.status, await alive.json()]).toEqual([200, { status: "ok" }]);
});

it("is ready when every check passes", async () => {
  server = await startTestHttpServer({
    sql: database.sql,
    ready: { database: async () => {}, migrations: async () => {} },
  });
  const answer = await server.call("/healthz/readiness");
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ status: "ready", checks: { database: "ok", migrations: "ok" } });
});

it("says which check fails or hangs, and not why", async () => {
  server = await startTestHttpServer({
    sql: database.sql,
    settings: { limits: { readinessMs: 50 } },
    ready: {
      database: async () => {},
      migrations: () => Promise.reject(new Error("connection to db.internal refused")),
      storage: () => new Promise(() => {}),
    },
  });
  const answer = await server.call("/healthz/readiness");
  expect(answer.status).toBe(503);
  const body = await answer.json();
  expect(body).toEqual({
    status: "not_ready",
    checks: { database: "ok", migrations: "failed", storage: "timed_out" },
  });
});

it("asks the database once a second at most, however often it is polled", async () => {
  const clock = manualClock();
  let asked = 0;
  let state = "up";
  const check = async () => {
    asked += 1;
    if (state === "down") throw new Error("down");
  };
  server = await startTestHttpServer({ sql: database.sql, clock, ready: { database: check } });
  const poll = async () => (await server?.call("/healthz/readiness"))?.status;
  const polls = await Promise.all(Array.from({ length: 20 }, poll));
  expect([asked, new Set(polls)]).toEqual([1, new Set([200])]);
  state = "down";
  clock.advance(999);
  expect([await poll(), asked]).toEqual([200, 1]);
  clock.advance(1);
  expect([await poll(), await poll(), asked]).toEqual([503, 503, 2]);
});

it("does not ask again while a check hangs", async () => {
  const clock = manualClock();
  let asked = 0;
  const hangs = () => {
    asked += 1;
    return new Promise<void>(() => {});
  };
  const limits = { readinessMs: 20 };
  server = await startTestHttpServer({
    sql: database.sql,
    clock,
    settings: { limits },
    ready: { database: hangs },
  });
  for (let i = 0; i < 3; i += 1) {
    expect((await server.call("/healthz/readiness")).status).toBe(503);
    clock.advance(1000);
  }
  expect(asked).toBe(1);
});

it("shows figures to this machine, but not to one behind a proxy on it", async () => {
  server = await startTestHttpServer({ sql: database.sql });
  const local = await server.call("/metrics");
  expect(local.status).toBe(200);
  expect(local.headers.get("content-type")).toContain("text/plain");
  expect(await local.text()).toContain("molva_process_cpu_seconds_total");

  const forwarded = { "x-forwarded-for": "203.0.113.5" };
  expect((await server.call("/metrics", { headers: forwarded })).status).toBe(401);
  const prometheus = await server.bearer(["metrics"]);
  expect((await server.call("/metrics", { headers: { ...forwarded, ...prometheus } })).status).toBe(200);
  const others = await server.bearer(scopes.filter((scope) => scope !== "metrics"));
  const bound = await server.bearer(["metrics"], "0198c0de-0000-7000-8000-000000000001");
  for (const token of [others, bound]) {
    expect((await server.call("/metrics", { headers: { ...forwarded, ...token } })).status).toBe(403);
    // A token that is sent is checked, on this machine too.
    expect((await server.call("/metrics", { headers: token })).status).toBe(403);
  }
});

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === "IPv4" && !address.internal)?.address;

it.skipIf(!outside)("hides figures from other machines (skipped without a network interface)", async () => {
  server = await startTestHttpServer({ sql: database.sql, settings: { host: "0.0.0.0" } });
  const { port } = new URL(server.url());
  expect((await fetch(`http://${outside}:${port}/metrics`)).status).toBe(401);
});
