import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import { createApiToken, revokeApiToken } from "../../http/index.ts";
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
    created_by: expect.any(String),
    made_by: { kind: "operator", name: expect.any(String) },
    networks: [],
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

const day = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(clock.now().getTime() + days * day).toISOString();
const refusal = async (answer: Response) => [
  answer.status,
  z
    .object({ code: z.string(), errors: z.array(z.object({ pointer: z.string() })) })
    .parse(await answer.json()),
];
const refusedFor = (pointer: string) => [403, { code: "token_too_strong", errors: [{ pointer }] }];

describe("how long a token lives", () => {
  const expiryOf = async (answer: Response) =>
    z.object({ expires_at: z.string().nullable() }).parse(await answer.json()).expires_at;

  it("is 90 days unless it is said", async () => {
    expect(await expiryOf(await make(await server.signedIn(), { name: "x", scopes: ["read"] }))).toBe(
      inDays(90),
    );
  });

  it("is without end only if an administrator of the installation says so", async () => {
    const never = { name: "x", scopes: ["read"], expires_at: null };
    expect(await expiryOf(await make(await server.signedIn(), never))).toBeNull();
    const { headers } = await server.signedInAs({ [ours]: "admin" });
    expect(await refusal(await make(headers, never))).toEqual(refusedFor("/expires_at"));
    expect(await refusal(await make(await server.bearer(["admin", "read"]), never))).toEqual(
      refusedFor("/expires_at"),
    );
    expect(await refusal(await make(headers, { ...never, expires_at: inDays(367) }))).toEqual(
      refusedFor("/expires_at"),
    );
    expect(await expiryOf(await make(headers, { ...never, expires_at: inDays(366) }))).toBe(inDays(366));
  });

  it.each([
    ["over", () => inDays(-1)],
    ["over this moment", () => inDays(0)],
    ["before there were years", () => "0000-01-01T00:00:00Z"],
  ])("is not %s when it begins", async (_, expires_at) => {
    const answer = await make(await server.signedIn(), {
      ...{ name: "dead", scopes: ["read"], expires_at: expires_at() },
    });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      code: "unprocessable",
      errors: [{ pointer: "/expires_at", detail: expect.stringContaining("to come") }],
    });
  });

  it("is never longer than that of the token it was made with", async () => {
    const { token } = madeSchema.parse(
      await (
        await make(await server.signedIn(), { name: "x", scopes: ["admin", "read"], expires_in_days: 10 })
      ).json(),
    );
    const headers = { authorization: `Bearer ${token}` };
    expect(await expiryOf(await make(headers, { name: "y", scopes: ["read"] }))).toBe(inDays(10));
    expect(await refusal(await make(headers, { name: "y", scopes: ["read"], expires_in_days: 11 }))).toEqual(
      refusedFor("/expires_at"),
    );
  });
});

describe("an operator", () => {
  it("makes tokens for workspaces in which they are admin, and for no other", async () => {
    const { headers, id } = await server.signedInAs({ [ours]: "admin", [theirs]: "operator" });
    const made = await make(headers, { name: "x", scopes: ["read", "admin"] });
    expect(await made.json()).toMatchObject({ workspace_id: ours, created_by: id });
    const other = await make(headers, { name: "x", scopes: ["read"], workspace_id: theirs });
    expect([other.status, codeSchema.parse(await other.json()).code]).toEqual([403, "scope_missing"]);
    const metrics = await make(headers, { name: "x", scopes: ["metrics"] });
    expect([metrics.status, codeSchema.parse(await metrics.json()).code]).toEqual([403, "scope_missing"]);
  });

  it("who is admin of several says for which one", async () => {
    const { headers } = await server.signedInAs({ [ours]: "admin", [theirs]: "admin" });
    const answer = await make(headers, { name: "x", scopes: ["read"] });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ pointer: "/workspace_id" }] });
  });

  it.each(["viewer", "operator"] as const)(
    "who is %s neither makes nor sees nor revokes tokens",
    async (role) => {
      const { headers } = await server.signedInAs({ [ours]: role });
      expect((await make(headers, { name: "x", scopes: ["read"] })).status).toBe(403);
      expect((await server.call("/api/v1/tokens", { headers })).status).toBe(403);
    },
  );

  it("sees and revokes only the tokens of workspaces in which they are admin", async () => {
    const { headers } = await server.signedInAs({ [ours]: "admin" });
    const admin = await server.signedIn();
    const body = { name: "of the neighbours", scopes: ["read"], workspace_id: theirs };
    const { id } = madeSchema.parse(await (await make(admin, body)).json());
    expect((await list(headers)).map(({ name }) => name)).not.toContain("of the neighbours");
    expect((await server.call(`/api/v1/tokens/${id}`, { method: "DELETE", headers })).status).toBe(404);
  });
});

it("revokes with a token those that were made with it", async () => {
  const operator = await server.signedIn();
  const chain = [madeSchema.parse(await (await make(operator, { name: "1", scopes: ["admin"] })).json())];
  for (const name of ["2", "3"]) {
    const headers = { authorization: `Bearer ${chain.at(-1)?.token}` };
    chain.push(madeSchema.parse(await (await make(headers, { name, scopes: ["admin"] })).json()));
  }
  const works = ({ token }: { token: string }) =>
    server.call("/api/v1/tokens", { headers: { authorization: `Bearer ${token}` } }).then(({ ok }) => ok);
  expect(await Promise.all(chain.map(works))).toEqual([true, true, true]);
  await server.call(`/api/v1/tokens/${chain[1]?.id}`, { method: "DELETE", headers: operator });
  expect(await Promise.all(chain.map(works))).toEqual([true, false, false]);
});

it("leaves nothing alive that a token was making while it was revoked", async () => {
  const { sql } = database;
  const parent = await createApiToken(sql, {
    ...{ name: "parent", scopes: ["admin"], workspaceId: null, createdBy: null, expiresAt: null, clock },
  });
  const slow = httpRequest(`${server.url()}/api/v1/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${parent.token}`, "content-type": "application/json" },
  });
  const answered = new Promise<string>((resolve, reject) => {
    slow.on("response", (answer) => resolve(text(answer))).on("error", reject);
  });
  slow.write('{"name":"child",');
  await until("the request is let in", async () => {
    const [row] =
      await sql`select from molva.api_tokens where id = ${parent.id} and last_used_at is not null`;
    return row;
  });
  expect(await revokeApiToken(sql, { id: parent.id, clock })).toBe(1);
  slow.end('"scopes":["admin"]}');
  const child = madeSchema.parse(JSON.parse(await answered));
  const headers = { authorization: `Bearer ${child.token}` };
  expect((await server.call("/api/v1/tokens", { headers })).status).toBe(401);
  const operator = await server.signedIn();
  expect((await list(operator)).map(({ id }) => id)).not.toContain(child.id);
});

describe("a token with allowed networks", () => {
  const withNetworks = async (networks: string[]) => {
    const body = { name: "x", scopes: ["admin", "read"], networks };
    return madeSchema.parse(await (await make(await server.signedIn(), body)).json());
  };
  const call = (token: string, method = "GET", path = "", body?: unknown) =>
    server.call(`/api/v1/tokens${path}`, { method, headers: { authorization: `Bearer ${token}` }, body });

  it("works from them and from nowhere else", async () => {
    const near = await withNetworks(["127.0.0.0/8", "::1"]);
    expect((await call(near.token)).status).toBe(200);
    const far = await withNetworks(["203.0.113.0/24"]);
    const refused = await call(far.token);
    expect([refused.status, codeSchema.parse(await refused.json()).code]).toEqual([403, "network_refused"]);
  });

  it("makes no token that works from more, and does not get out of them", async () => {
    const { id, token } = await withNetworks(["127.0.0.0/8"]);
    const inherited = await call(token, "POST", "", { name: "y", scopes: ["read"] });
    expect(await inherited.json()).toMatchObject({ networks: ["127.0.0.0/8"] });
    const wider = await call(token, "POST", "", { name: "y", scopes: ["read"], networks: [] });
    expect(await refusal(wider)).toEqual(refusedFor("/networks"));
    expect((await call(token, "PATCH", `/${id}`, { networks: ["0.0.0.0/0"] })).status).toBe(403);
    expect((await call(token, "PATCH", `/${id}`, { networks: ["127.0.0.1"] })).status).toBe(200);
  });

  it("that are narrowed later narrows those that were made with it, too", async () => {
    const { id, token } = await withNetworks([]);
    const child = madeSchema.parse(
      await (await call(token, "POST", "", { name: "y", scopes: ["admin", "read"] })).json(),
    );
    const grandchild = madeSchema.parse(
      await (await call(child.token, "POST", "", { name: "z", scopes: ["admin"] })).json(),
    );
    const headers = await server.signedIn();
    const narrow = (networks: string[]) =>
      server.call(`/api/v1/tokens/${id}`, { method: "PATCH", headers, body: { networks } });
    await narrow(["203.0.113.0/24"]);
    for (const made of [child, grandchild])
      expect(codeSchema.parse(await (await call(made.token)).json()).code).toBe("network_refused");
    await narrow(["127.0.0.0/8"]);
    expect((await call(grandchild.token)).status).toBe(200);
    const wide = { name: "w", scopes: ["admin"], networks: ["0.0.0.0/0"] };
    expect(await refusal(await call(grandchild.token, "POST", "", wide))).toEqual(refusedFor("/networks"));
    expect((await call(grandchild.token, "PATCH", `/${grandchild.id}`, { networks: [] })).status).toBe(403);
  });

  it("gets others from an operator", async () => {
    const { id, token } = await withNetworks(["203.0.113.0/24"]);
    const headers = await server.signedIn();
    const change = await server.call(`/api/v1/tokens/${id}`, {
      method: "PATCH",
      headers,
      body: { networks: [] },
    });
    expect(await change.json()).toMatchObject({ id, networks: [] });
    expect((await call(token)).status).toBe(200);
  });
});

it.each([
  [{ name: "x", scopes: ["read"], networks: ["10.0.0.0/40"] }, "/networks/0"],
  [{ name: "x", scopes: ["read"], expires_at: "tomorrow" }, "/expires_at"],
  [{ name: "x", scopes: ["read"], expires_at: null, expires_in_days: 5 }, "/expires_at"],
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
