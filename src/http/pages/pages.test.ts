import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
let database: TestDatabase;
let webFolder: string;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  webFolder = await mkdtemp(join(tmpdir(), "molva-web-"));
  server = await startTestHttpServer({
    sql: database.sql,
    settings: { webFolder, twinsUrl: "http://127.0.0.1:8090" },
  });
});
afterAll(async () => {
  await server?.stop();
  await rm(webFolder, { recursive: true, force: true });
  await database?.drop();
});

it("says how to build the console while it is not built, and shows it as soon as it is", async () => {
  const missing = await server.call("/", { headers: browser });
  expect(missing.status).toBe(503);
  expect(await missing.text()).toContain("npm run build");

  await mkdir(join(webFolder, "assets"));
  await writeFile(join(webFolder, "index.html"), "<title>console</title>");
  await writeFile(join(webFolder, "assets", "main-abc123.js"), "export {};");
  await writeFile(join(webFolder, "secret.txt"), "not for the web");
  const built = await server.call("/", { headers: browser });
  expect(built.status).toBe(200);
  expect(built.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(built.headers.get("cache-control")).toBe("no-cache");
});

it.each(["/", "/signin", "/tokens", "/channels/1?tab=2", "/webhooks"])(
  "serves the console at %s",
  async (path) => {
    const answer = await server.call(path, { headers: browser });
    expect([answer.status, await answer.text()]).toEqual([200, "<title>console</title>"]);
    expect((await server.call(path, { headers: browser, method: "HEAD" })).status).toBe(200);
  },
);

it.each(["/api/v1/nothing", "/api/nothing", "/v1/nothing", "/assets/none.js", "/docs/nothing", "/webhook/x"])(
  "serves no page at %s, even to a browser",
  async (path) => {
    const answer = await server.call(path, { headers: browser });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
  },
);

it("serves no page to a program, and takes none", async () => {
  expect((await server.call("/signin", { headers: { accept: "application/json" } })).status).toBe(404);
  expect((await server.call("/signin", { headers: browser, body: {} })).status).toBe(404);
});

it("lets browsers keep the console's files for good, and serves nothing beside them", async () => {
  const file = await server.call("/assets/main-abc123.js");
  expect(file.status).toBe(200);
  expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(file.headers.get("content-type")).toContain("javascript");
  for (const path of ["/secret.txt", "/assets/..%2Fsecret.txt", "/assets/%2e%2e/secret.txt", "/assets/"]) {
    const answer = await server.call(path);
    expect([403, 404]).toContain(answer.status);
    expect(await answer.text()).not.toContain("not for the web");
  }
});

it("sends a browser the compressed file where the build has made one", async () => {
  const script = "console.log(1);".repeat(100);
  await writeFile(join(webFolder, "assets", "page-def456.js"), script);
  await writeFile(join(webFolder, "assets", "page-def456.js.br"), brotliCompressSync(script));
  const read = async (encoding: string) => {
    const answer = await server.call("/assets/page-def456.js", { headers: { "accept-encoding": encoding } });
    expect(await answer.text()).toBe(script);
    return [answer.headers.get("content-encoding"), answer.headers.get("content-type")];
  };
  expect(await read("gzip, br")).toEqual(["br", expect.stringContaining("javascript")]);
  expect(await read("identity")).toEqual([null, expect.stringContaining("javascript")]);
});

it("allows the console its own files only", async () => {
  const { headers } = await server.call("/", { headers: browser });
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("strict-transport-security")).toBeNull();
  expect(headers.get("x-powered-by")).toBeNull();
});

it("serves the API's description to people and to machines", async () => {
  const page = await server.call("/docs", { headers: browser });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("swagger-ui");
  expect(page.headers.get("content-security-policy")).toContain("style-src 'self' 'unsafe-inline'");
  const script = await server.call("/docs/static/swagger-initializer.js");
  expect(script.status).toBe(200);
  const document = await (await server.call("/docs/json")).json();
  expect(document).toMatchObject({ openapi: "3.1.0", paths: { "/api/v1/session": {} } });
});

it("leads from /playground to the twins' page when they run, and else to a page that says there is none", async () => {
  const answer = await server.call("/playground", { headers: browser });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "http://127.0.0.1:8090/"]);
  const alone = await startTestHttpServer({ sql: database.sql });
  const page = await alone.call("/playground", { headers: browser });
  expect(page.headers.get("content-type")).toContain("text/html");
  expect((await alone.call("/playground")).status).toBe(404);
  await alone.stop();
});
