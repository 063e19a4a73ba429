import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { findOperator, setOperator } from "../../http/index.ts";
import { cookieOf, startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { createStorage } from "../../kernel/storage/index.ts";
import { addWorkspace } from "../tenants/change-workspace.ts";
import { listWorkspaces } from "../tenants/list-workspaces.ts";
import { tenantRoutes } from "../tenants/workspace-routes.ts";
import { memberRoutes } from "./member-routes.ts";

const day = 24 * 60 * 60 * 1000;
const password = "verbal-marmalade-42";

const clock = manualClock();
let ours: string;
let theirs: string;
let database: TestDatabase;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  const deps = { sql, clock, publicUrl: "https://molva.example" };
  const workspace = async (name: string) =>
    (await addWorkspace(deps, { name }, { operator: "test" })).workspace_id;
  ours = await workspace("Наше");
  theirs = await workspace("Чужое");
  const storage = createStorage({
    ...{ folder: tempFolder("members"), urlBase: "http://127.0.0.1", secret: "s", clock },
  });
  server = await startTestHttpServer({
    ...{ sql, clock, listWorkspaces: () => listWorkspaces(sql) },
    modules: [memberRoutes(deps), tenantRoutes({ ...deps, storage })],
  });
});
beforeEach(async () => {
  await database.sql`truncate molva.signin_attempts, molva.memberships`;
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

const invited = z.object({ id: z.string(), url: z.string() });

async function anInvitation(login: string, role: string, headers?: Record<string, string>) {
  const by = headers ?? (await server.signedInAs({ [ours]: "admin" })).headers;
  const answer = await server.call(`/api/v1/invitations?workspace_id=${ours}`, {
    headers: by,
    body: { login, role },
  });
  const { id, url } = invited.parse(await answer.json());
  return { id, url, by, token: url.split("#")[1] ?? "" };
}
const accept = (
  invitation: string,
  more: object = { name: "Анна", password },
  headers: Record<string, string> = {},
) => server.call("/api/v1/invitation/accept", { headers, body: { invitation, ...more } });
async function codeOf(answer: Response) {
  return [answer.status, z.object({ code: z.string() }).parse(await answer.json()).code];
}

describe("an invitation", () => {
  it("is a link whose secret stays in the browser, and says what it is to", async () => {
    const { url, token } = await anInvitation("Anna@Example.org", "operator");
    expect(url).toMatch(/^https:\/\/molva\.example\/invitation#[\w-]{43}$/);
    const told = await server.call("/api/v1/invitation", { body: { invitation: token } });
    expect(await told.json()).toEqual({
      ...{ login: "anna@example.org", role: "operator", workspace: "Наше", known: false },
      expires_at: new Date(clock.now().getTime() + 7 * day).toISOString(),
    });
  });

  it("makes an operator of the invited login with the chosen name and password, and signs them in", async () => {
    const { token } = await anInvitation("boris", "viewer");
    const answer = await accept(token, { name: "Борис", password });
    expect(await answer.json()).toEqual({ login: "boris", signed_in: true });
    const session = await server.call("/api/v1/session", { headers: { cookie: cookieOf(answer) } });
    expect(await session.json()).toMatchObject({
      operator: { login: "boris", name: "Борис", has_password: true, administrator: false },
      workspaces: [{ id: ours, role: "viewer", scopes: ["read"] }],
    });
    const again = await server.call("/api/v1/session", { body: { login: "boris", password } });
    expect(again.status).toBe(200);
  });

  it("works once, also when it is accepted many times at once", async () => {
    const { token } = await anInvitation("vera", "viewer");
    const answers = await Promise.all([accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await codeOf(await accept(token))).toEqual([401, "invitation_refused"]);
  });

  it("works for seven days", async () => {
    const { token } = await anInvitation("late", "viewer");
    clock.advance(7 * day);
    expect(await codeOf(await accept(token))).toEqual([401, "invitation_refused"]);
  });

  it("stops working when it is revoked, or replaced by another of the same person", async () => {
    const first = await anInvitation("greta", "viewer");
    const second = await anInvitation("greta", "operator", first.by);
    expect((await accept(first.token)).status).toBe(401);
    const path = `/api/v1/invitations/${second.id}?workspace_id=${ours}`;
    const revoke = () => server.call(path, { method: "DELETE", headers: first.by });
    expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 404]);
    expect((await accept(second.token)).status).toBe(401);
  });

  it.each([
    [{ name: "Дина" }, 422, "password_refused"],
    [{ name: "Дина", password: "short" }, 422, "password_refused"],
    [{ password }, 422, "unprocessable"],
  ])("is not used up by %j", async (given, status, code) => {
    const { token } = await anInvitation("dina", "viewer");
    expect(await codeOf(await accept(token, given))).toEqual([status, code]);
    expect((await server.call("/api/v1/invitation", { body: { invitation: token } })).status).toBe(200);
  });

  it("gives an existing operator the role, and neither a session nor another password", async () => {
    const { login, headers } = await server.signedInAs({ [theirs]: "viewer" });
    const { token } = await anInvitation(login, "operator");
    const told = await server.call("/api/v1/invitation", { body: { invitation: token } });
    expect(await told.json()).toMatchObject({ known: true });
    const answer = await accept(token, {}, headers);
    expect(await answer.json()).toEqual({ login, signed_in: false });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await findOperator(database.sql, login)).toMatchObject({ has_password: false });
    const session = await server.call("/api/v1/session", { headers });
    expect(await session.json()).toMatchObject({
      workspaces: expect.arrayContaining([
        expect.objectContaining({ id: ours, role: "operator" }),
        expect.objectContaining({ id: theirs, role: "viewer" }),
      ]),
    });
  });

  it("is refused to a disabled operator", async () => {
    const { login, id } = await server.signedInAs({});
    const { token } = await anInvitation(login, "operator");
    await setOperator(database.sql, id, { disabled: true });
    expect((await accept(token)).status).toBe(401);
  });

  it("does not outlive the rights of who invited", async () => {
    const admin = await server.signedInAs({ [ours]: "admin" });
    const other = await server.signedInAs({ [ours]: "admin" });
    const { token } = await anInvitation("egor", "admin", admin.headers);
    expect((await change(other.headers, admin.id, "operator")).status).toBe(200);
    expect((await accept(token)).status).toBe(401);
  });

  it("is not accepted from a page of another site, and guessing is throttled", async () => {
    const body = { invitation: "x".repeat(43) };
    const foreign = { headers: { origin: "https://evil.example" }, body };
    expect(await codeOf(await server.call("/api/v1/invitation/accept", foreign))).toEqual([
      403,
      "cross_origin",
    ]);
    await server.call("/api/v1/invitation", { body });
    await database.sql`update molva.signin_attempts set attempts = 1000`;
    expect(await codeOf(await server.call("/api/v1/invitation", { body }))).toEqual([
      429,
      "signin_throttled",
    ]);
    expect(await codeOf(await accept("x".repeat(43)))).toEqual([429, "signin_throttled"]);
  });
});

const change = (headers: Record<string, string>, id: string, role: string) =>
  server.call(`/api/v1/members/${id}?workspace_id=${ours}`, { method: "PATCH", headers, body: { role } });
const remove = (headers: Record<string, string>, id: string) =>
  server.call(`/api/v1/members/${id}?workspace_id=${ours}`, { method: "DELETE", headers });

describe("members", () => {
  it("are listed, get other roles and are removed by an admin, at once", async () => {
    const admin = await server.signedInAs({ [ours]: "admin" });
    const member = await server.signedInAs({ [ours]: "viewer" });
    const page = await server.call(`/api/v1/members?workspace_id=${ours}`, { headers: admin.headers });
    expect(await page.json()).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ operator_id: member.id, role: "viewer" })]),
    });
    expect(await (await change(admin.headers, member.id, "operator")).json()).toMatchObject({
      role: "operator",
    });
    expect((await remove(admin.headers, member.id)).status).toBe(204);
    expect((await remove(admin.headers, member.id)).status).toBe(404);
    const workspaces = await server.call("/api/v1/workspaces", { headers: member.headers });
    expect(workspaces.status).toBe(403);
  });

  it("include the last admin, who is neither removed nor demoted, also not by an administrator", async () => {
    const admin = await server.signedInAs({ [ours]: "admin" });
    const administrator = await server.signedIn();
    for (const headers of [admin.headers, administrator]) {
      expect(await codeOf(await remove(headers, admin.id))).toEqual([409, "conflict"]);
      expect(await codeOf(await change(headers, admin.id, "viewer"))).toEqual([409, "conflict"]);
    }
    // A disabled admin cannot help, so they do not count.
    const disabled = await server.signedInAs({ [ours]: "admin" });
    await setOperator(database.sql, disabled.id, { disabled: true });
    expect((await remove(admin.headers, admin.id)).status).toBe(409);
  });

  it("include an admin even when two admins remove each other at the same moment", async () => {
    const [one, two] = [
      await server.signedInAs({ [ours]: "admin" }),
      await server.signedInAs({ [ours]: "admin" }),
    ];
    await Promise.all([remove(one.headers, two.id), remove(two.headers, one.id)]);
    const [left] = await database.sql`
      select count(*)::int as admins from molva.memberships where workspace_id = ${ours} and role = 'admin'`;
    expect(left).toEqual({ admins: 1 });
  });

  it("are managed by people only: a token could give rights that outlive it", async () => {
    const member = await server.signedInAs({ [ours]: "viewer" });
    const token = await server.bearer(["admin"], ours);
    expect(await codeOf(await change(token, member.id, "admin"))).toEqual([403, "operators_only"]);
    expect(await codeOf(await remove(token, member.id))).toEqual([403, "operators_only"]);
    const body = { login: "x", role: "admin" };
    const invite = await server.call("/api/v1/invitations", { headers: token, body });
    expect(await codeOf(invite)).toEqual([403, "operators_only"]);
  });

  it.each(["viewer", "operator"] as const)(
    "are not shown to who is %s, nor managed by them",
    async (role) => {
      const { headers, id } = await server.signedInAs({ [ours]: role });
      for (const path of ["/api/v1/members", "/api/v1/invitations"])
        expect(await codeOf(await server.call(path, { headers }))).toEqual([403, "scope_missing"]);
      expect(await codeOf(await change(headers, id, "admin"))).toEqual([403, "scope_missing"]);
    },
  );

  it("of a workspace are not managed by the admin of another", async () => {
    const { headers } = await server.signedInAs({ [theirs]: "admin" });
    const member = await server.signedInAs({ [ours]: "viewer" });
    expect(await codeOf(await change(headers, member.id, "admin"))).toEqual([403, "other_workspace"]);
    const body = { login: "x", role: "admin" };
    const path = `/api/v1/invitations?workspace_id=${ours}`;
    expect(await codeOf(await server.call(path, { headers, body }))).toEqual([403, "other_workspace"]);
  });
});

describe("administrators of the installation", () => {
  it("always have one among them who can sign in", async () => {
    await server.signedIn();
    const admin = await findOperator(database.sql, "admin");
    const set = (given: object) => setOperator(database.sql, admin?.id ?? "", given);
    expect(await set({ administrator: false })).toBe("last_administrator");
    expect(await set({ disabled: true })).toBe("last_administrator");
    const { id } = await server.signedInAs({});
    await setOperator(database.sql, id, { administrator: true });
    expect(await set({ disabled: true })).toBe("changed");
    expect(await setOperator(database.sql, id, { administrator: false })).toBe("last_administrator");
    expect(await set({ disabled: false })).toBe("changed");
    expect(await setOperator(database.sql, id, { administrator: false })).toBe("changed");
  });

  it("make workspaces, which an admin of one does not", async () => {
    const { headers } = await server.signedInAs({ [ours]: "admin" });
    const make = (by: Record<string, string>) =>
      server.call("/api/v1/workspaces", { headers: by, body: { name: "Новое" } });
    expect(await codeOf(await make(headers))).toEqual([403, "administrators_only"]);
    expect((await make(await server.signedIn())).status).toBe(201);
  });
});
