import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { auditRows } from "../../audit/index.ts";
import { createSignInLink } from "../../http/index.ts";
import {
  type CallInit,
  cookieOf,
  startTestHttpServer,
  type TestHttpServer,
} from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { addWorkspace } from "../tenants/change-workspace.ts";
import { listWorkspaces } from "../tenants/list-workspaces.ts";
import { tokenRoutes } from "../tokens/token-routes.ts";
import { memberRoutes } from "./member-routes.ts";

const password = "verbal-marmalade-42";
const address = "127.0.0.1";
const anonymous = { kind: "anonymous", id: null };
const clock = manualClock();
let database: TestDatabase;
let server: TestHttpServer;
let ours: string;

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  const deps = { sql, clock, publicUrl: "https://molva.example" };
  ours = (await addWorkspace(deps, { name: "Наше" }, { operator: "test" })).workspace_id;
  server = await startTestHttpServer({
    ...{ sql, clock, listWorkspaces: () => listWorkspaces(sql) },
    modules: [memberRoutes(deps), tokenRoutes(deps)],
  });
});
beforeEach(async () => {
  await database.sql`truncate molva.signin_attempts`;
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

const entries = () => auditRows(database.sql, {}, { limit: 1000 });

/** The entries that the work leaves, oldest first, and its answer. */
async function during(work: () => Promise<Response>) {
  const before = new Set((await entries()).map(({ hash }) => hash));
  const answer = await work();
  const left = (await entries()).filter(({ hash }) => !before.has(hash)).toReversed();
  return { answer, noted: left.map(({ at, seq, place, hash, prev_hash, ...entry }) => entry) };
}
const signIn = (body: unknown) => during(() => server.call("/api/v1/session", { body }));
const idOf = async (answer: Response) => z.object({ id: z.string() }).parse(await answer.json()).id;

it("records who signs in, and who is refused, without what they typed", async () => {
  const { id, login } = await server.signedInAs({});
  const link = await createSignInLink(database.sql, login, { clock });
  expect((await signIn({ link })).noted).toEqual([
    {
      ...{ workspace_id: null, address, action: "signin.succeeded", result: "ok", meta: { by: "link" } },
      ...{ actor: { kind: "operator", id }, subject: { kind: "session", id: expect.any(String) } },
    },
  ]);
  expect((await signIn({ link })).noted).toMatchObject([
    { actor: anonymous, action: "signin.refused", result: "refused", meta: { by: "link" }, address },
  ]);
  const wrong = await signIn({ login, password: "not the password" });
  expect(wrong.noted).toMatchObject([
    { actor: anonymous, action: "signin.refused", subject: { kind: "operator", id } },
  ]);
  const unknown = await signIn({ login: "my password by mistake".replaceAll(" ", ""), password: "x" });
  expect(unknown.noted).toMatchObject([{ action: "signin.refused", subject: null }]);
  expect(JSON.stringify([wrong.noted, unknown.noted])).not.toMatch(/not the password|mistake/);
});

it("records the first refusal by the throttle, and not the flood after it", async () => {
  await signIn({ link: "x".repeat(43) });
  await database.sql`update molva.signin_attempts set attempts = 30`;
  const first = await signIn({ link: "x".repeat(43) });
  expect(first.noted).toMatchObject([{ actor: anonymous, action: "signin.throttled", result: "refused" }]);
  expect((await signIn({ link: "x".repeat(43) })).noted).toEqual([]);
});

it("records the end of sessions and a new password", async () => {
  const { id, headers } = await server.signedInAs({});
  const actor = { kind: "operator", id };
  const changed = await during(() =>
    server.call("/api/v1/session/password", { method: "PUT", headers, body: { password } }),
  );
  expect(changed.noted).toMatchObject([{ actor, action: "password.changed", result: "ok", address }]);
  const left = await during(() => server.call("/api/v1/session", { method: "DELETE", headers }));
  expect(left.noted).toMatchObject([{ actor, action: "session.ended", subject: { kind: "session" } }]);

  const other = await server.signedInAs({});
  const [session] = await database.sql<{ id: string }[]>`
    select id from molva.sessions where operator_id = ${other.id}`;
  const admin = await server.signedIn();
  const revoked = await during(() =>
    server.call(`/api/v1/sessions/${session?.id}`, { method: "DELETE", headers: admin }),
  );
  expect(revoked.noted).toMatchObject([
    {
      action: "session.revoked",
      subject: { kind: "session", id: session?.id },
      meta: { operator_id: other.id },
    },
  ]);
});

it("records invitations, roles and removals in their workspace", async () => {
  const admin = await server.signedInAs({ [ours]: "admin" });
  const actor = { kind: "operator", id: admin.id };
  const { headers } = admin;
  const invite = () =>
    during(() => server.call("/api/v1/invitations", { headers, body: { login: "anna", role: "viewer" } }));
  const { answer, noted } = await invite();
  const { id: invitation, url } = z.object({ id: z.string(), url: z.string() }).parse(await answer.json());
  expect(noted).toEqual([
    {
      ...{ workspace_id: ours, actor, action: "operator.invited", result: "ok", address },
      ...{ subject: { kind: "invitation", id: invitation }, meta: { login: "anna", role: "viewer" } },
    },
  ]);
  const accepted = await during(() =>
    server.call("/api/v1/invitation/accept", {
      body: { invitation: url.split("#")[1], name: "Анна", password },
    }),
  );
  expect(accepted.noted).toMatchObject([
    {
      workspace_id: ours,
      action: "invitation.accepted",
      subject: { kind: "invitation", id: invitation },
      address,
    },
  ]);
  const session = await server.call("/api/v1/session", {
    headers: { cookie: cookieOf(accepted.answer) },
  });
  const { operator } = z.object({ operator: z.object({ id: z.string() }) }).parse(await session.json());
  expect(accepted.noted[0]?.actor).toEqual({ kind: "operator", id: operator.id });

  const subject = { kind: "operator", id: operator.id };
  const path = `/api/v1/members/${operator.id}`;
  const role = await during(() =>
    server.call(path, { method: "PATCH", headers, body: { role: "operator" } }),
  );
  expect(role.noted).toMatchObject([
    {
      workspace_id: ours,
      actor,
      action: "member.role_changed",
      subject,
      meta: { from: "viewer", to: "operator" },
    },
  ]);
  const removed = await during(() => server.call(path, { method: "DELETE", headers }));
  expect(removed.noted).toMatchObject([{ workspace_id: ours, actor, action: "member.removed", subject }]);
  const again = await idOf((await invite()).answer);
  const revoked = await during(() =>
    server.call(`/api/v1/invitations/${again}`, { method: "DELETE", headers }),
  );
  expect(revoked.noted).toMatchObject([{ workspace_id: ours, actor, action: "invitation.revoked" }]);
});

it("records tokens that are made, changed, revoked, and used from a wrong network once a minute", async () => {
  const admin = await server.signedInAs({ [ours]: "admin" });
  const { headers } = admin;
  const actor = { kind: "operator", id: admin.id };
  const body = { name: "x", scopes: ["read", "admin"], networks: ["203.0.113.0/24"] };
  const made = await during(() => server.call("/api/v1/tokens", { headers, body }));
  const { id, token } = z.object({ id: z.string(), token: z.string() }).parse(await made.answer.json());
  const subject = { kind: "token", id };
  expect(made.noted).toMatchObject([
    { workspace_id: ours, actor, action: "token.created", subject, result: "ok" },
  ]);
  expect(JSON.stringify(made.noted)).not.toContain(token);

  const use = () =>
    during(() => server.call("/api/v1/tokens", { headers: { authorization: `Bearer ${token}` } }));
  expect((await use()).noted).toEqual([
    {
      ...{ workspace_id: ours, actor: subject, action: "token.network_refused", subject },
      ...{ result: "refused", address, meta: {} },
    },
  ]);
  expect((await use()).noted).toEqual([]);
  clock.advance(60_000);
  expect((await use()).noted).toHaveLength(1);

  const path = `/api/v1/tokens/${id}`;
  const changed = await during(() => server.call(path, { method: "PATCH", headers, body: { networks: [] } }));
  expect(changed.noted).toMatchObject([{ actor, action: "token.networks_changed", subject }]);
  const revoked = await during(() => server.call(path, { method: "DELETE", headers }));
  expect(revoked.noted).toMatchObject([{ workspace_id: ours, actor, action: "token.revoked", subject }]);
});

describe("a change of rights", () => {
  beforeAll(async () => {
    await database.sql.unsafe(`
      create schema broken;
      create function broken.refuse() returns trigger language plpgsql as $$ begin raise 'the audit is full'; end $$;
      create trigger broken before insert on audit.pending for each row execute function broken.refuse();
      alter table audit.pending disable trigger broken`);
  });
  afterAll(() => database.sql.unsafe("drop schema broken cascade"));

  /** The answer of a request during which nothing can be written into the audit. */
  async function unaudited(path: string, init: CallInit): Promise<number> {
    await database.sql`alter table audit.pending enable trigger broken`;
    try {
      return (await server.call(`/api/v1${path}`, init)).status;
    } finally {
      await database.sql`alter table audit.pending disable trigger broken`;
    }
  }

  const state = async () => {
    const [row] = await database.sql`
      select (select jsonb_agg(m order by m) from molva.memberships m) as members,
             (select jsonb_agg(i order by i) from molva.invitations i) as invitations,
             (select jsonb_agg(to_jsonb(t) - 'last_used_at' order by t.id) from molva.api_tokens t) as tokens,
             (select jsonb_agg(s.id order by s.id) from molva.sessions s) as sessions,
             (select jsonb_agg(o.password_hash order by o.id) from molva.operators o) as passwords`;
    return row;
  };

  it.each<[string, string, string, unknown?]>([
    ["a role", "PATCH", "/members/:operator", { role: "operator" }],
    ["a removal", "DELETE", "/members/:operator"],
    ["an invitation", "POST", "/invitations", { login: "vera", role: "viewer" }],
    ["the end of an invitation", "DELETE", "/invitations/:invitation"],
    ["a token", "POST", "/tokens", { name: "y", scopes: ["read"] }],
    ["a token's networks", "PATCH", "/tokens/:token", { networks: ["203.0.113.0/24"] }],
    ["the end of a token", "DELETE", "/tokens/:token"],
    ["the end of somebody's session", "DELETE", "/sessions/:session"],
    ["signing out", "DELETE", "/session"],
    ["a password", "PUT", "/session/password", { password: "another-marmalade-42" }],
  ])("is not made when its entry cannot be written: %s", async (_, method, path, body) => {
    const { id, headers } = await server.signedInAs({ [ours]: "admin" });
    const invited = { login: `guest-${id}`, role: "viewer" };
    const post = async (to: string, given: unknown) =>
      idOf(await server.call(`/api/v1${to}`, { headers, body: given }));
    const [session] = await database.sql`select id from molva.sessions where operator_id = ${id}`;
    const ids: Record<string, string> = {
      operator: (await server.signedInAs({ [ours]: "viewer" })).id,
      invitation: await post("/invitations", invited),
      token: await post("/tokens", { name: "x", scopes: ["read"] }),
      session: session?.id,
    };
    const before = await state();
    const at = path.replace(/:(\w+)/, (_all, name) => ids[name] ?? "");
    expect(await unaudited(at, { method, headers, body })).toBe(500);
    expect(await state()).toEqual(before);
  });
});
