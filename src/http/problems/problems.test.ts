import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import type { RouteModule } from "../index.ts";
import { problemSchema, problemsOf } from "../index.ts";
import { startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";

const ownProblems = {
  kettle_cold: { status: 418, title: "The kettle is cold", meaning: "Put it on." },
};
const ownProblem = problemsOf(ownProblems);

const routes: RouteModule = {
  name: "probe",
  problems: ownProblems,
  routes(app) {
    app.post(
      "/api/v1/probe/:count",
      {
        config: { scope: "public" },
        schema: {
          params: z.object({ count: z.coerce.number().int() }),
          querystring: z.strictObject({ limit: z.coerce.number().max(10).optional() }),
          body: z.strictObject({
            text: z.string(),
            "a/b~c": z.object({ n: z.array(z.int()) }).optional(),
            media: z
              .union([z.strictObject({ url: z.url() }), z.strictObject({ blob: z.string() })])
              .optional(),
          }),
        },
      },
      async ({ body }) => body,
    );
    app.get("/api/v1/probe/broken", { config: { scope: "public" } }, async () => {
      throw new Error("the password of the database is hunter2");
    });
    app.post("/api/v1/probe/small", {
      config: { scope: "public" },
      bodyLimit: 10,
      errorHandler: (error) => {
        throw error.statusCode === 413 ? ownProblem("kettle_cold") : error;
      },
      handler: async () => ({}),
    });
    app.get("/api/v1/probe/kettle", { config: { scope: "public" } }, async () => {
      throw ownProblem("kettle_cold", { headers: { "retry-after": "60" } });
    });
    app.get(
      "/api/v1/probe/misshapen",
      { config: { scope: "public" }, schema: { response: { 200: z.object({ n: z.int() }) } } },
      async () => JSON.parse('{"n":"not a number"}'),
    );
  },
};

let database: TestDatabase;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  server = await startTestHttpServer({ sql: database.sql, modules: [routes] });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

async function problemOf(answer: Response) {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const body = problemSchema.parse(await answer.json());
  expect(Object.keys(body)).toEqual(["type", "title", "status", "detail", "code", "errors"]);
  expect(body.status).toBe(answer.status);
  expect(body.type).toBe(`/docs/errors#${body.code}`);
  return body;
}

it("answers invalid JSON with 400 invalid_json", async () => {
  for (const body of ['{"text":', "", '{"__proto__":{"a":1}}', Buffer.from([0x22, 0xff, 0x22])]) {
    const answer = await server.call("/api/v1/probe/1", { body });
    expect(await problemOf(answer)).toMatchObject({ status: 400, code: "invalid_json", errors: [] });
  }
});

it("names every faulty field of a body with a JSON pointer and coerces nothing", async () => {
  const answer = await server.call("/api/v1/probe/1", {
    body: { text: 5, "a/b~c": { n: [1, "2"] }, extra: true },
  });
  const body = await problemOf(answer);
  expect(body).toMatchObject({ status: 400, code: "invalid_request" });
  const pointers = body.errors.map((error) => error.pointer);
  expect(pointers.sort()).toEqual(["/a~1b~0c/n/1", "/extra", "/text"]);
});

it("names the faults of the branch that was most likely meant", async () => {
  const answer = await server.call("/api/v1/probe/1", { body: { text: "", media: { url: "no address" } } });
  const body = await problemOf(answer);
  expect(body.errors).toHaveLength(1);
  expect(body.errors[0]?.pointer).toBe("/media/url");
});

it("checks the query and the path as it checks the body", async () => {
  const inQuery = await problemOf(await server.call("/api/v1/probe/1?limit=11", { body: { text: "" } }));
  expect(inQuery).toMatchObject({ code: "invalid_request", errors: [{ pointer: "/limit" }] });
  expect(inQuery.detail).toContain("query");
  const inPath = await problemOf(await server.call("/api/v1/probe/x", { body: { text: "" } }));
  expect(inPath).toMatchObject({ code: "invalid_request", errors: [{ pointer: "/count" }] });
});

it("answers 404 for an unknown path and 405 with Allow for a known one", async () => {
  expect(await problemOf(await server.call("/api/v1/nothing"))).toMatchObject({
    status: 404,
    code: "not_found",
  });
  const answer = await server.call("/api/v1/probe/kettle", { method: "PATCH" });
  expect(await problemOf(answer)).toMatchObject({ status: 405, code: "method_not_allowed" });
  expect(answer.headers.get("allow")).toBe("GET, HEAD");
  const withBody = await server.call("/healthz", { body: "no json" });
  expect(withBody.status).toBe(405);
});

it("answers 413 for a body past the limit, declared or streamed", async () => {
  const large = JSON.stringify({ text: "x".repeat(1024 * 1024) });
  const declared = await server.call("/api/v1/probe/1", { body: large });
  expect(await problemOf(declared)).toMatchObject({ status: 413, code: "payload_too_large" });
  const streamed = await fetch(`${server.url()}/api/v1/probe/1`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: (async function* () {
      yield Buffer.from(large);
    })(),
    duplex: "half",
  });
  expect(await problemOf(streamed)).toMatchObject({ status: 413, code: "payload_too_large" });
});

it("answers 415 for anything but JSON", async () => {
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"]) {
    const answer = await server.call("/api/v1/probe/1", {
      body: "text=1",
      headers: { "content-type": type },
    });
    expect(await problemOf(answer)).toMatchObject({ status: 415, code: "unsupported_media_type" });
  }
});

it("answers 400 for an address that cannot be decoded", async () => {
  const answer = await server.call("/api/v1/%zz");
  expect(await problemOf(answer)).toMatchObject({ status: 400, code: "invalid_url" });
  expect(answer.headers.get("x-request-id")).toBeTruthy();
});

it("says nothing about the inside when it fails", async () => {
  const answer = await server.call("/api/v1/probe/broken");
  const body = await problemOf(answer);
  expect(body).toMatchObject({ status: 500, code: "internal" });
  expect(JSON.stringify(body)).not.toContain("hunter2");
  expect(await problemOf(await server.call("/api/v1/probe/misshapen"))).toMatchObject({ code: "internal" });
});

it("carries a module's own codes and headers", async () => {
  const answer = await server.call("/api/v1/probe/kettle");
  expect(await problemOf(answer)).toMatchObject({ status: 418, code: "kettle_cold", detail: "Put it on." });
  expect(answer.headers.get("retry-after")).toBe("60");
});

it("lets a route answer in its own words what the server would refuse in general ones", async () => {
  const large = await server.call("/api/v1/probe/small", { body: { text: "too much" } });
  expect(await problemOf(large)).toMatchObject({ code: "kettle_cold" });
  const broken = await server.call("/api/v1/probe/small", { body: "{" });
  expect(await problemOf(broken)).toMatchObject({ code: "invalid_json" });
});

it("explains every code, a module's too, at the address its type names", async () => {
  const page = await (await server.call("/docs/errors")).text();
  expect(page).toContain('id="kettle_cold"');
  expect(page).toContain('id="invalid_json"');
});
