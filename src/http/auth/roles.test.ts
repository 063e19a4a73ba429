import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import {
  createApiToken,
  type Role,
  type RouteModule,
  requireWorkspace,
  roles,
  setMemberRole,
} from "../index.ts";
import { startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";
import { scopesAnywhere, scopesIn } from "./reach.ts";
import { roleScopes } from "./roles.ts";
import { type Scope, scopes } from "./scopes.ts";

const ours = "0198c0de-0000-7000-8000-000000000001";
const theirs = "0198c0de-0000-7000-8000-000000000002";

/** `/api/v1/probe/<scope>/:id` is about a workspace, `/api/v1/probe/<scope>` about all of them. */
const probe: RouteModule = {
  name: "probe",
  routes(app) {
    for (const scope of scopes) {
      app.get(`/api/v1/probe/${scope}`, { config: { scope } }, async () => ({}));
      app.get(
        `/api/v1/probe/${scope}/:id`,
        { config: { scope, about: "workspace" }, schema: { params: z.object({ id: z.uuid() }) } },
        async (request) => {
          requireWorkspace(request, request.params.id);
          return { scopes: request.caller?.scopes };
        },
      );
    }
  },
};

const clock = manualClock();
let database: TestDatabase;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  const listWorkspaces = async () => [
    { id: ours, name: "Наше", status: "active" },
    { id: theirs, name: "Чужое", status: "active" },
  ];
  server = await startTestHttpServer({ sql: database.sql, clock, modules: [probe], listWorkspaces });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

const ask = async (path: string, headers: Record<string, string>) => {
  const answer = await server.call(path, { headers });
  const body = z.object({ code: z.string().optional(), scopes: z.array(z.string()).optional() });
  return { status: answer.status, ...body.parse(await answer.json()) };
};

describe("the table of roles", () => {
  it("gives each role all scopes of the one before it, and nobody the figures of the whole server", () => {
    const [viewer, operator, admin] = roles.map((role) => roleScopes[role]);
    expect(viewer).toEqual(["read"]);
    expect(operator).toEqual(expect.arrayContaining([...(viewer ?? [])]));
    expect(admin).toEqual(expect.arrayContaining([...(operator ?? [])]));
    expect(admin).not.toContain("metrics");
    expect(operator).not.toContain("admin");
    expect(operator).not.toContain("payload");
  });

  it("says nothing about other workspaces and the installation", () => {
    const reach = { kind: "operator", administrator: false, roles: { [ours]: "admin" } } as const;
    expect(scopesIn(reach, theirs)).toEqual([]);
    expect(scopesIn(reach, null)).toEqual([]);
    expect(scopesAnywhere(reach)).not.toContain("metrics");
    expect(scopesIn({ ...reach, administrator: true }, null)).toEqual(scopes);
  });
});

describe("an operator", () => {
  const cases = roles.flatMap((role) => scopes.map((scope) => [role, scope] as const));

  it.each(cases)(
    "who is %s may %s in their workspace as the table says, and in no other",
    async (role, scope) => {
      const { headers } = await person(role);
      const allowed = roleScopes[role].includes(scope);
      expect(await ask(`/api/v1/probe/${scope}/${ours}`, headers)).toMatchObject(
        allowed ? { status: 200, scopes: roleScopes[role] } : { status: 403, code: "scope_missing" },
      );
      expect(await ask(`/api/v1/probe/${scope}/${theirs}`, headers)).toMatchObject({
        status: 403,
        code: allowed ? "other_workspace" : "scope_missing",
      });
      expect(await ask(`/api/v1/probe/${scope}`, headers)).toMatchObject({
        status: 403,
        code: allowed ? "administrators_only" : "scope_missing",
      });
    },
  );

  it("with different roles has in each workspace only those of that workspace", async () => {
    const { headers } = await server.signedInAs({ [ours]: "admin", [theirs]: "viewer" });
    expect(await ask(`/api/v1/probe/write/${ours}`, headers)).toMatchObject({ status: 200 });
    expect(await ask(`/api/v1/probe/write/${theirs}`, headers)).toMatchObject({ code: "scope_missing" });
    expect(await ask(`/api/v1/probe/read/${theirs}`, headers)).toMatchObject({ scopes: ["read"] });
  });

  it("sees in the session the workspaces with a role and what it allows, and nothing of the others", async () => {
    const { headers } = await server.signedInAs({ [ours]: "operator" });
    expect(await (await server.call("/api/v1/session", { headers })).json()).toMatchObject({
      operator: { administrator: false },
      scopes: expect.not.arrayContaining(["admin"]),
      workspaces: [{ id: ours, role: "operator", scopes: roleScopes.operator }],
    });
  });

  it("without any role can still see and end the own session", async () => {
    const { headers } = await server.signedInAs({});
    const session = await server.call("/api/v1/session", { headers });
    expect(await session.json()).toMatchObject({ scopes: [], workspaces: [] });
    expect(await ask(`/api/v1/probe/read/${ours}`, headers)).toMatchObject({ code: "scope_missing" });
    expect((await server.call("/api/v1/session", { method: "DELETE", headers })).status).toBe(204);
  });
});

describe("a token", () => {
  const tokenOf = async (createdBy: string, workspaceId: string | null, held: readonly Scope[]) => {
    const given = { name: "made", scopes: held, workspaceId, createdBy, expiresAt: null, clock };
    const { token } = await createApiToken(database.sql, given);
    return { authorization: `Bearer ${token}` };
  };

  it("loses what its maker loses, and works again when they get it back", async () => {
    const { id } = await server.signedInAs({ [ours]: "admin" });
    await server.signedInAs({ [ours]: "admin" });
    const headers = await tokenOf(id, ours, ["read", "write", "payload"]);
    const may = async (scope: Scope) => (await ask(`/api/v1/probe/${scope}/${ours}`, headers)).status;
    const become = (role: Role | null) =>
      setMemberRole(database.sql, { workspaceId: ours, operatorId: id, role });
    expect([await may("read"), await may("write"), await may("payload")]).toEqual([200, 200, 200]);
    await become("operator");
    expect([await may("read"), await may("write"), await may("payload")]).toEqual([200, 200, 403]);
    await become("viewer");
    expect([await may("read"), await may("write"), await may("payload")]).toEqual([200, 403, 403]);
    await become("admin");
    expect(await may("payload")).toBe(200);
    await become(null);
    expect(await may("read")).toBe(401);
  });

  it("for all workspaces opens nothing when its maker administers only one", async () => {
    const { id } = await server.signedInAs({ [ours]: "admin" });
    const headers = await tokenOf(id, null, ["read"]);
    expect((await ask(`/api/v1/probe/read/${ours}`, headers)).status).toBe(401);
  });
});

const people = new Map<Role, ReturnType<TestHttpServer["signedInAs"]>>();

/** One operator for each role. */
function person(role: Role) {
  const known = people.get(role) ?? server.signedInAs({ [ours]: role });
  people.set(role, known);
  return known;
}
