import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import {
  addOperator,
  callerOf,
  createApiToken,
  type RouteModule,
  requireWorkspace,
  scopes,
  setOperator,
} from "../index.ts";
import { startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";

const ours = "0198c0de-0000-7000-8000-000000000001";
const theirs = "0198c0de-0000-7000-8000-000000000002";

const routes: RouteModule = {
  name: "probe",
  routes(app) {
    for (const scope of scopes) app.all(`/api/v1/probe/${scope}`, { config: { scope } }, async () => ({}));
    app.post("/api/v1/probe/public", { config: { scope: "public" } }, async ({ caller }) => ({ caller }));
    app.get("/api/v1/probe/caller", { config: { scope: "read", about: "workspace" } }, async (request) =>
      callerOf(request),
    );
    app.get(
      "/api/v1/probe/workspaces/:id",
      { config: { scope: "read", about: "workspace" }, schema: { params: z.object({ id: z.uuid() }) } },
      async (request) => {
        requireWorkspace(request, request.params.id);
        return {};
      },
    );
  },
};

const clock = manualClock();
let database: TestDatabase;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  server = await startTestHttpServer({ sql: database.sql, clock, modules: [routes] });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

async function codeOf(answer: Response) {
  return [answer.status, z.object({ code: z.string() }).parse(await answer.json()).code];
}

describe("a route of the API", () => {
  it.each(["/api/v1/forgotten", "/api/v1", "/api/*", "/*", "/:anything/v1/x"])(
    "without a scope keeps the server from starting: %s",
    async (url) => {
      const forgetful: RouteModule = {
        name: "forgetful",
        routes: (app) => void app.get(url, async () => ({})),
      };
      await expect(startTestHttpServer({ sql: database.sql, modules: [forgetful] })).rejects.toThrow(
        `${url} declares no scope`,
      );
    },
  );

  it("needs none outside /api/v1, where modules guard themselves", async () => {
    const open: RouteModule = {
      name: "open",
      routes(app) {
        app.get("/v1/hello", async () => ({}));
        app.get("/api/health", async () => ({}));
        app.get("/api/v10/:x", async () => ({}));
      },
    };
    const other = await startTestHttpServer({ sql: database.sql, modules: [open] });
    expect((await other.call("/v1/hello")).status).toBe(200);
    await other.stop();
  });

  it("lets exactly those tokens in that have its scope", async () => {
    for (const held of scopes) {
      const headers = await server.bearer([held]);
      for (const needed of scopes) {
        const answer = await server.call(`/api/v1/probe/${needed}`, { headers });
        expect([held, needed, answer.status]).toEqual([held, needed, held === needed ? 200 : 403]);
      }
    }
  });

  it("says which scope is missing", async () => {
    const answer = await server.call("/api/v1/probe/admin", { headers: await server.bearer(["read"]) });
    expect(answer.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="admin"');
    expect(await codeOf(answer)).toEqual([403, "scope_missing"]);
  });

  it("lets a signed-in operator do everything", async () => {
    const headers = await server.signedIn();
    for (const scope of scopes) {
      expect((await server.call(`/api/v1/probe/${scope}`, { headers, method: "PUT" })).status).toBe(200);
    }
  });

  it("knows who calls", async () => {
    const operator = await server.call("/api/v1/probe/caller", { headers: await server.signedIn() });
    expect(await operator.json()).toMatchObject({
      kind: "operator",
      name: "Администратор",
      administrator: true,
      scopes,
    });
    const machine = await server.call("/api/v1/probe/caller", {
      headers: await server.bearer(["read"], ours),
    });
    expect(await machine.json()).toMatchObject({
      kind: "token",
      name: "read",
      workspaceId: ours,
      scopes: ["read"],
    });
    const anyone = await server.call("/api/v1/probe/public", { body: {} });
    expect(await anyone.json()).toEqual({ caller: null });
  });

  it("refuses a token of another workspace where the workspace matters", async () => {
    const bound = await server.bearer(["read"], ours);
    expect((await server.call(`/api/v1/probe/workspaces/${ours}`, { headers: bound })).status).toBe(200);
    const foreign = await server.call(`/api/v1/probe/workspaces/${theirs}`, { headers: bound });
    expect(await codeOf(foreign)).toEqual([403, "other_workspace"]);
    const free = await server.bearer(["read"]);
    expect((await server.call(`/api/v1/probe/workspaces/${theirs}`, { headers: free })).status).toBe(200);
  });
});

describe("a caller without a right to call", () => {
  it.each([
    [{}],
    [{ authorization: "Bearer " }],
    [{ authorization: "Bearer mlv_unknown" }],
    [{ authorization: "Basic YWRtaW46YWRtaW4=" }],
    [{ cookie: "molva_session=unknown" }],
    [{ cookie: "molva_session=" }],
  ])("is told to sign in: %j", async (headers: Record<string, string>) => {
    const answer = await server.call("/api/v1/probe/read", { headers });
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer realm="molva"/);
    expect(await codeOf(answer)).toEqual([401, "not_signed_in"]);
  });

  it("is not saved by a good cookie beside a bad token", async () => {
    const { cookie } = await server.signedIn();
    const answer = await server.call("/api/v1/probe/read", {
      headers: { cookie, authorization: "Bearer mlv_x" },
    });
    expect(answer.status).toBe(401);
  });

  it("has a token that expired, or whose maker was disabled", async () => {
    const maker = await addOperator(database.sql, { login: "vera", name: "Вера", clock });
    if (maker.kind !== "added") throw new Error(maker.reason);
    await setOperator(database.sql, maker.id, { administrator: true });
    const { token } = await createApiToken(database.sql, {
      name: "short",
      scopes: ["read"],
      workspaceId: null,
      createdBy: maker.id,
      expiresAt: new Date(clock.now().getTime() + 1000),
      clock,
    });
    const read = () => server.call("/api/v1/probe/read", { headers: { authorization: `Bearer ${token}` } });
    expect((await read()).status).toBe(200);
    await setOperator(database.sql, maker.id, { disabled: true });
    expect((await read()).status).toBe(401);
    await setOperator(database.sql, maker.id, { disabled: false });
    expect((await read()).status).toBe(200);
    clock.advance(1000);
    expect((await read()).status).toBe(401);
  });
});

describe("a change made with a cookie", () => {
  const change = (headers: Record<string, string>, method = "POST") =>
    server.call("/api/v1/probe/write", { method, headers });

  it.each([
    ["the same site's page", { "sec-fetch-site": "same-origin" }, 200],
    ["the public address", { origin: "http://127.0.0.1:8080" }, 200],
    ["another site's page", { "sec-fetch-site": "cross-site" }, 403],
    ["a neighbour under the same domain", { "sec-fetch-site": "same-site" }, 403],
    ["another origin", { origin: "https://evil.example" }, 403],
    ["a hidden origin", { origin: "null" }, 403],
    ["nowhere that it says", {}, 403],
  ])("from %s is answered accordingly", async (_from, headers: Record<string, string>, status) => {
    const { cookie } = await server.signedIn();
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await change({ cookie, ...headers }, method);
      expect(answer.status).toBe(status);
      if (status === 403) expect(await codeOf(answer)).toEqual([403, "cross_origin"]);
    }
  });

  it("is taken from whatever name the browser reached the server by", async () => {
    const { cookie, origin } = await server.signedIn();
    expect((await change({ cookie, origin })).status).toBe(200);
  });

  it("only reads from anywhere, and tokens are free to change", async () => {
    const { cookie } = await server.signedIn();
    expect((await change({ cookie, origin: "https://evil.example" }, "GET")).status).toBe(200);
    const token = await server.bearer(["write"]);
    expect((await change({ ...token, origin: "https://elsewhere.example" })).status).toBe(200);
  });
});
