import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { openapi, type RouteModule } from "./index.ts";
import { startTestHttpServer } from "./testing/http-server.ts";

const post = z.object({ id: z.uuid(), text: z.string() }).meta({ id: "TestPost" });

const routes: RouteModule = {
  name: "probe",
  routes(app) {
    app.get(
      "/api/v1/probe/:id",
      { config: { scope: "read" }, schema: { params: z.object({ id: z.uuid() }), response: { 200: post } } },
      async () => ({ id: "", text: "" }),
    );
    app.post(
      "/api/v1/probe",
      {
        config: { scope: "public" },
        schema: { security: [{ endpointSecret: [] }], body: z.object({ text: z.string() }) },
      },
      async () => undefined,
    );
  },
};

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

async function documentText(publicUrl: string): Promise<string> {
  const server = await startTestHttpServer({
    sql: database.sql,
    modules: [routes],
    settings: { publicUrl, version: "1.2.3" },
  });
  const text = JSON.stringify(await openapi(server.app), null, 2);
  await server.stop();
  return text;
}

it("is the same text every time and wherever it is made", async () => {
  const here = await documentText("http://127.0.0.1:8080");
  expect(await documentText("https://molva.example")).toBe(here);
  expect(here).not.toMatch(/127\.0\.0\.1|molva\.example/);
});

it("says for each route which scope it needs, what it answers and how it fails", async () => {
  const document = JSON.parse(await documentText("http://127.0.0.1:8080"));
  expect(document.info).toMatchObject({ title: "Molva", version: "1.2.3" });
  expect(document.paths["/api/v1/probe/{id}"].get).toMatchObject({
    security: [{ token: ["read"] }, { session: [] }],
    responses: {
      200: { content: { "application/json": { schema: { $ref: "#/components/schemas/TestPost" } } } },
      default: {
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  });
  expect(document.paths["/api/v1/session"].post.security).toEqual([]);
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(["Problem", "TestPost"]));
  expect(document.components.schemas.Problem.required).toContain("code");
});

it("keeps the security that a public route declares, and what it takes", async () => {
  const document = JSON.parse(await documentText("http://127.0.0.1:8080"));
  expect(document.paths["/api/v1/probe"].post).toMatchObject({
    security: [{ endpointSecret: [] }],
    requestBody: {
      content: { "application/json": { schema: { required: ["text"] } } },
    },
    responses: { 200: { description: "OK" } },
  });
  expect(document.components.securitySchemes.endpointSecret).toMatchObject({
    type: "apiKey",
    in: "header",
    name: "X-Molva-Secret",
  });
});

it("lists no pages and no refusals of methods", async () => {
  const { paths } = JSON.parse(await documentText("http://127.0.0.1:8080"));
  expect(Object.keys(paths)).toEqual([
    "/api/v1/invitation",
    "/api/v1/invitation/accept",
    "/api/v1/probe",
    "/api/v1/probe/{id}",
    "/api/v1/session",
    "/api/v1/session/methods",
    "/api/v1/session/oidc",
    "/api/v1/session/oidc/callback",
    "/api/v1/session/password",
    "/api/v1/session/second-factor",
    "/api/v1/session/second-factor/confirm",
    "/api/v1/session/second-factor/recovery-codes",
    "/api/v1/session/second-factor/remove",
    "/api/v1/sessions",
    "/api/v1/sessions/{id}",
    "/healthz",
    "/healthz/readiness",
    "/metrics",
  ]);
  expect(Object.keys(paths["/api/v1/session"])).toEqual(["delete", "get", "post"]);
});
