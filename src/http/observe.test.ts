import { once } from "node:events";
import { connect } from "node:net";
import { Writable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { createLog } from "../kernel/log/index.ts";
import type { RouteModule } from "./index.ts";
import { startTestHttpServer, type TestHttpServer } from "./testing/http-server.ts";

const routes: RouteModule = {
  name: "probe",
  routes(app) {
    app.post("/api/v1/probe/:id", { config: { scope: "public" } }, async () => ({}));
    app.post(
      "/api/v1/probe/upload",
      { config: { scope: "public" }, onRequest: async () => uploadBegan() },
      async () => ({}),
    );
    app.get("/api/v1/probe/broken", { config: { scope: "public" } }, async () => {
      throw new Error("out of tea");
    });
  },
};

let database: TestDatabase;
let server: TestHttpServer;
let lines: string[] = [];
let uploadBegan = () => {};

beforeAll(async () => {
  database = await testDatabase();
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = createLog({ level: "info", destination });
  const ready = {
    database: async () => {
      await database.sql`select 1`;
    },
  };
  server = await startTestHttpServer({ sql: database.sql, modules: [routes], log, ready });
});
beforeEach(() => {
  lines = [];
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

/** The line is written just after the answer was sent. */
async function logLine(has: string): Promise<Record<string, unknown>> {
  return expect
    .poll(() => lines.find((line) => line.includes(has)))
    .toBeTruthy()
    .then(() => JSON.parse(lines.find((line) => line.includes(has)) ?? "{}"));
}

it("takes over a sane request id and replaces any other", async () => {
  const given = await server.call("/healthz", { headers: { "x-request-id": "abc-123" } });
  expect(given.headers.get("x-request-id")).toBe("abc-123");
  for (const bad of ["a b", "x".repeat(65), "<script>"]) {
    const answer = await server.call("/healthz", { headers: { "x-request-id": bad } });
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  }
  const notFound = await server.call("/api/v1/nothing", { headers: { "x-request-id": "abc-124" } });
  expect(notFound.headers.get("x-request-id")).toBe("abc-124");
});

it("logs method, route, status and time of a request, and neither its query nor its headers nor its body", async () => {
  await server.call("/api/v1/probe/personal-id?key=query-secret", {
    body: { password: "body-secret" },
    headers: { "x-request-id": "logged-1", authorization: "Bearer header-secret" },
  });
  expect(await logLine("logged-1")).toMatchObject({
    request_id: "logged-1",
    method: "POST",
    route: "/api/v1/probe/:id",
    status: 200,
    ms: expect.any(Number),
  });
  expect(lines.join()).not.toMatch(/secret|personal-id/);
});

it("logs the cause of a failure under the request's id", async () => {
  await server.call("/api/v1/probe/broken", { headers: { "x-request-id": "logged-2" } });
  expect(await logLine("out of tea")).toMatchObject({ level: "error", request_id: "logged-2" });
});

it("takes a caller who hangs up in the middle of a body for no fault of the server", async () => {
  const began = new Promise<void>((resolve) => {
    uploadBegan = resolve;
  });
  const socket = connect(Number(new URL(server.url()).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    "POST /api/v1/probe/upload HTTP/1.1\r\nHost: molva\r\nX-Request-Id: gone-1\r\n" +
      "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  );
  await began;
  socket.destroy();
  await logLine("went away");
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

it("measures requests by route pattern and status class", async () => {
  await server.call("/api/v1/probe/1", { body: {} });
  await server.call("/api/v1/never/seen/before");
  const figures = () => server.call("/metrics").then((answer) => answer.text());
  await expect
    .poll(figures)
    .toMatch(
      /molva_http_request_duration_seconds_count{method="POST",route="\/api\/v1\/probe\/:id",status="2xx"} \d/,
    );
  expect(await figures()).toContain('route="unmatched",status="4xx"');
  expect(await figures()).not.toContain("never");
});

it("keeps the calls of probes out of the log", async () => {
  await server.call("/healthz/readiness");
  await server.call("/api/v1/probe/1", { body: {}, headers: { "x-request-id": "logged-3" } });
  await logLine("logged-3");
  expect(lines.join()).not.toContain("/healthz");
});
