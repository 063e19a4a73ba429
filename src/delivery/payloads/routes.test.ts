import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { openapi } from "../../http/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey } from "../../kernel/crypto/index.ts";
import { createStorage } from "../../kernel/storage/index.ts";
import { aWorkspace } from "../testing/builders.ts";
import { payloadRoutes } from "./payload-routes.ts";
import { createPayloadStore, type PayloadStore } from "./payload-store.ts";

const clock = manualClock();
const publicUrl = "https://molva.example.com";
const raw = "<script>alert(1)</script> +7 999 123-45-67";
const why = "reason=customer+asks";

let database: TestDatabase;
let payloads: PayloadStore;
let server: TestHttpServer;
let ours: string;
let theirs: string;
let ref: string;

beforeAll(async () => {
  database = await testDatabase();
  const storage = createStorage({ folder: tempFolder("payloads"), urlBase: "http://x", secret: "s", clock });
  payloads = createPayloadStore({
    sql: database.sql,
    storage,
    vault: createVault([generateKey()], clock),
    clock,
  });
  server = await startTestHttpServer({
    sql: database.sql,
    clock,
    modules: [payloadRoutes({ sql: database.sql, payloads, publicUrl })],
  });
  ours = await aWorkspace(database.sql);
  theirs = await aWorkspace(database.sql);
  ref = await payloads.save(ours, "provider_answer", raw);
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

const codeOf = async (answer: Response) =>
  [answer.status, z.object({ code: z.string() }).parse(await answer.json()).code] as const;

it("gives the raw as a file to a caller with the scope, and records the caller", async () => {
  const answer = await server.call(`/api/v1/payloads/${ref}?${why}`, {
    headers: await server.bearer(["payload"], ours),
  });
  expect([answer.status, await answer.text()]).toEqual([200, raw]);
  expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const [event] = await database.sql`
    select meta from workspaces.events where workspace_id = ${ours} and action = 'payload_read' order by id desc limit 1`;
  expect(event?.meta).toMatchObject({
    caller: { kind: "token", id: expect.any(String) },
    reason: "customer asks",
    via: "direct",
  });
});

it("lets a signed-in operator read, too", async () => {
  const answer = await server.call(`/api/v1/payloads/${ref}?${why}&workspace_id=${ours}`, {
    headers: await server.signedIn(),
  });
  expect(await answer.text()).toBe(raw);
});

// covers autoposting: Data privacy / PII
it("refuses a caller without the scope, or without any credential", async () => {
  const others = await server.bearer(["read", "write", "operate", "admin"], ours);
  for (const [path, init] of [
    [`/api/v1/payloads/${ref}?${why}`, {}],
    [`/api/v1/payloads/${ref}/link`, { body: { reason: "customer asks" } }],
  ] as const) {
    expect(await codeOf(await server.call(path, { ...init, headers: others }))).toEqual([
      403,
      "scope_missing",
    ]);
    expect(await codeOf(await server.call(path, init))).toEqual([401, "not_signed_in"]);
  }
});

it("refuses a reading without a reason of five characters", async () => {
  const headers = await server.bearer(["payload"], ours);
  for (const query of ["", "?reason=", "?reason=why", "?reason=%20why%20%20"]) {
    const answer = await server.call(`/api/v1/payloads/${ref}${query}`, { headers });
    expect(await answer.json()).toMatchObject({ status: 400, errors: [{ pointer: "/reason" }] });
  }
  const answer = await server.call(`/api/v1/payloads/${ref}/link`, { headers, body: { reason: "why" } });
  expect(await answer.json()).toMatchObject({ status: 400, errors: [{ pointer: "/reason" }] });
});

// covers autoposting: Data privacy / PII
it("shows a workspace's payload to no other workspace", async () => {
  const headers = await server.bearer(["payload"], theirs);
  expect(await codeOf(await server.call(`/api/v1/payloads/${ref}?${why}`, { headers }))).toEqual([
    404,
    "not_found",
  ]);
  const named = await server.call(`/api/v1/payloads/${ref}?${why}&workspace_id=${ours}`, { headers });
  expect(await codeOf(named)).toEqual([403, "other_workspace"]);
  const link = await server.call(`/api/v1/payloads/${ref}/link`, {
    headers,
    body: { reason: "customer asks" },
  });
  expect(await codeOf(link)).toEqual([404, "not_found"]);
});

it("makes a link that anyone may follow until its time is over", async () => {
  const answer = await server.call(`/api/v1/payloads/${ref}/link`, {
    headers: await server.bearer(["payload"], ours),
    body: { reason: "customer asks", expires_in_seconds: 60 },
  });
  expect(answer.status).toBe(201);
  const { url, expires_at } = z
    .object({ url: z.string(), expires_at: z.string() })
    .parse(await answer.json());
  expect(expires_at).toBe(new Date(clock.now().getTime() + 60_000).toISOString());
  expect(url.startsWith(`${publicUrl}/api/v1/payload-links/`)).toBe(true);
  const path = url.slice(publicUrl.length);
  expect(await (await server.call(path)).text()).toBe(raw);
  clock.advance(60_000);
  expect(await codeOf(await server.call(path))).toEqual([403, "payload_link_refused"]);
});

it.each(["x", "a/b", "..%2f..", "%00", "A".repeat(5000)])("refuses the made-up link %.20s", async (token) => {
  const answer = await server.call(`/api/v1/payload-links/${token}`);
  expect([400, 403, 404]).toContain(answer.status);
});

it("makes no link that lives longer than ten minutes", async () => {
  const answer = await server.call(`/api/v1/payloads/${ref}/link`, {
    headers: await server.bearer(["payload"], ours),
    body: { reason: "customer asks", expires_in_seconds: 601 },
  });
  expect(await answer.json()).toMatchObject({ status: 400, errors: [{ pointer: "/expires_in_seconds" }] });
});

it("describes its routes", async () => {
  const { paths } = z.object({ paths: z.record(z.string(), z.unknown()) }).parse(await openapi(server.app));
  expect(Object.keys(paths).filter((path) => path.includes("payload"))).toEqual([
    "/api/v1/payload-links/{*}",
    "/api/v1/payloads/{ref}",
    "/api/v1/payloads/{ref}/link",
  ]);
});
