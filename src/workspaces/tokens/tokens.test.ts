import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { addWorkspace } from "../tenants/change-workspace.ts";
import { tokenRoutes } from "./token-routes.ts";

const clock = manualClock();
let ours: string;
let theirs: string;
let database: TestDatabase;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  const deps = { sql: database.sql, clock };
  const workspace = async (name: string) =>
    (await addWorkspace(deps, { name }, { operator: "test" })).workspace_id;
  ours = await workspace("ours");
  theirs = await workspace("theirs");
  server = await startTestHttpServer({ ...deps, modules: [tokenRoutes(deps)] });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

const make = (headers: Record<string, string>, body: unknown) =>
  server.call("/api/v1/tokens", { headers, body });
const list = async (headers: Record<string, string>) => {
  const answer = await server.call("/api/v1/tokens", { headers });
  const item = z.object({ id: z.string(), name: z.string(), last_used_at: z.string().nullable() });
  return z.object({ items: z.array(item), next: z.null() }).parse(await answer.json()).items;
};
const madeSchema = z.object({ id: z.string(), token: z.string() });
const codeSchema = z.object({ code: z.string() });

it("shows a new token once and never again", async () => {
  const operator = await server.signedIn();
  const answer = await make(operator, { name: "n8n", scopes: ["read", "write"], expires_in_days: 90 });
  expect(answer.status).toBe(201);
  const made = await answer.json();
  expect(made).toEqual({
    id: expect.any(String),
    name: "n8n",
    scopes: ["read", "write"],
    workspace_id: null,
    created_at: clock.now().toISOString(),
    last_used_at: null,
    expires_at: new Date(clock.now().getTime() + 90 * 24 * 60 * 60 * 1000).toISOString(),
    token: expect.stringMatching(/^mlv_[0-9A-Za-z]{43}$/),
  });
  const { token } = madeSchema.parse(made);
  expect(JSON.stringify(await list(operator))).not.toContain(token);
  const [{ leaked } = { leaked: true }] = await database.sql<{ leaked: boolean }[]>`
    select bool_or(t::text like ${`%${token.slice(4)}%`}) as leaked from molva.api_tokens t
  `;
  expect(leaked).toBe(false);
});

it("notes when a token was last used, at most once a minute", async () => {
  const admin = await server.bearer(["admin"]);
  const used = async () => (await list(admin)).find(({ name }) => name === "admin")?.last_used_at;
  const first = clock.now().toISOString();
  expect(await used()).toBe(first);
  clock.advance(59_000);
  expect(await used()).toBe(first);
  clock.advance(1_000);
  expect(await used()).toBe(clock.now().toISOString());
});

it("revokes a token at once, and only once", async () => {
  const operator = await server.signedIn();
  const { id, token } = madeSchema.parse(
    await (await make(operator, { name: "old", scopes: ["admin"] })).json(),
  );
  const headers = { authorization: `Bearer ${token}` };
  const revoke = () => server.call(`/api/v1/tokens/${id}`, { method: "DELETE", headers: operator });
  expect((await server.call("/api/v1/tokens", { headers })).status).toBe(200);
  expect((await revoke()).status).toBe(204);
  expect((await server.call("/api/v1/tokens", { headers })).status).toBe(401);
  expect((await revoke()).status).toBe(404);
  expect((await list(operator)).some((item) => item.id === id)).toBe(false);
});

it("does not let a token make a stronger one", async () => {
  const admin = await server.bearer(["admin", "read"]);
  expect((await make(admin, { name: "same", scopes: ["read"] })).status).toBe(201);
  const stronger = await make(admin, { name: "more", scopes: ["read", "payload"] });
  expect([stronger.status, codeSchema.parse(await stronger.json()).code]).toEqual([403, "scope_missing"]);
});

it("keeps a workspace's token within its workspace", async () => {
  const bound = await server.bearer(["admin"], ours);
  const free = await server.bearer(["admin"]);
  const mine = await make(bound, { name: "inherits", scopes: ["admin"] });
  expect(await mine.json()).toMatchObject({ workspace_id: ours });
  expect((await make(bound, { name: "x", scopes: ["admin"], workspace_id: theirs })).status).toBe(403);
  const foreign = madeSchema.parse(
    await (await make(free, { name: "foreign", scopes: ["admin"], workspace_id: theirs })).json(),
  );
  expect((await list(bound)).map(({ name }) => name)).not.toContain("foreign");
  const revoke = (headers: Record<string, string>) =>
    server.call(`/api/v1/tokens/${foreign.id}`, { method: "DELETE", headers });
  expect((await revoke(bound)).status).toBe(404);
  expect((await revoke(free)).status).toBe(204);
});

it.each([
  [{ scopes: ["read"] }, "/name"],
  [{ name: "", scopes: ["read"] }, "/name"],
  [{ name: "x\u0000", scopes: ["read"] }, "/name"],
  [{ name: "x", scopes: [] }, "/scopes"],
  [{ name: "x", scopes: ["root"] }, "/scopes/0"],
  [{ name: "x", scopes: ["read"], expires_in_days: "90" }, "/expires_in_days"],
  [{ name: "x", scopes: ["read"], expires_in_days: 0 }, "/expires_in_days"],
  [{ name: "x", scopes: ["read"], workspace_id: "1" }, "/workspace_id"],
  [{ name: "x", scopes: ["read"], workspaceid: "1" }, "/workspaceid"],
])("refuses %j", async (body, pointer) => {
  const answer = await make(await server.signedIn(), body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ pointer }] });
});

it("refuses an unknown workspace", async () => {
  const unknown = "0198c0de-0000-7000-8000-00000000000f";
  const answer = await make(await server.signedIn(), { name: "x", scopes: ["read"], workspace_id: unknown });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ errors: [{ pointer: "/workspace_id" }] });
});
