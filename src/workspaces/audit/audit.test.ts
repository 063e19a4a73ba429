import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { testDatabase } from "../../../tests/support/database.ts";
import { installationChain, verifyExport } from "../../audit/index.ts";
import {
  type AdminHarness,
  asked,
  everyScope,
  startAdminHarness,
} from "../../delivery/admin/testing/harness.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { addOperator, createSignInLink, ensureAdmin, setPassword } from "../../http/index.ts";
import { attemptLimits } from "../../http/operators/throttle.ts";
import { cookieOf, startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { tokenRoutes } from "../tokens/token-routes.ts";
import { auditRoutes } from "./audit-routes.ts";

let harness: AdminHarness;
/** The routes of tokens and of the audit itself. */
let server: TestHttpServer;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
  const { sql, vault } = harness;
  await ensureAdmin(sql, { clock });
  server = await startTestHttpServer({
    ...{ sql, clock },
    modules: [tokenRoutes({ sql, clock }), auditRoutes({ sql, clock, vault })],
  });
});
afterAll(async () => {
  await server?.stop();
  await harness?.stop();
});

const written = (chainId: string, action: string) =>
  harness.sql`select * from audit.entries where chain_id = ${chainId} and action = ${action} order by seq`;
const newest = async (chainId: string) =>
  (await harness.sql`select * from audit.entries where chain_id = ${chainId} order by seq desc limit 1`)[0];

describe("signing in", () => {
  const password = "verbal-marmalade-42";
  const signIn = (body: object) => server.call("/api/v1/session", { body });
  let anna: string;

  beforeAll(async () => {
    const added = await addOperator(harness.sql, { login: "anna", name: "Анна", clock });
    anna = added.kind === "added" ? added.id : "";
    await setPassword(harness.sql, { login: "anna", password });
  });

  it("is noted with the operator's id and the address, and so is signing out", async () => {
    const cookie = cookieOf(await signIn({ login: "Anna", password }));
    const of = { actor_kind: "operator", actor_id: anna, result: "ok", address: "127.0.0.1" };
    expect(await newest(installationChain)).toMatchObject({ ...of, action: "signin.succeeded" });
    const headers = { cookie, origin: server.url() };
    await server.call("/api/v1/session/password", {
      method: "PUT",
      headers,
      body: { current: "wrong", password: `${password}-2` },
    });
    expect(await newest(installationChain)).toMatchObject({
      ...of,
      action: "password.refused",
      result: "refused",
    });
    await server.call("/api/v1/session/password", {
      method: "PUT",
      headers,
      body: { current: password, password: `${password}-2` },
    });
    expect(await newest(installationChain)).toMatchObject({ ...of, action: "password.changed" });
    await server.call("/api/v1/session", { method: "DELETE", headers });
    expect(await newest(installationChain)).toMatchObject({ ...of, action: "session.ended" });
  });

  it("that is refused is noted without what was typed, which may be a password", async () => {
    await signIn({ login: "anna", password: "wrong" });
    expect(await newest(installationChain)).toMatchObject({
      ...{ action: "signin.refused", actor_kind: "anonymous", actor_id: null, result: "refused" },
      ...{ subject_kind: "operator", subject_id: anna, meta: { by: "password" } },
    });
    await signIn({ login: "hunter2-my-password", password: "x" });
    const entry = await newest(installationChain);
    expect(entry).toMatchObject({ action: "signin.refused", subject_id: null });
    expect(JSON.stringify(entry)).not.toContain("hunter2");
  });

  it("too often is noted once, so that a flood does not fill the audit", async () => {
    await harness.sql`update molva.signin_attempts set attempts = ${attemptLimits.address}`;
    const answers = [
      await signIn({ login: "a", password: "x" }),
      await signIn({ login: "b", password: "x" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([429, 429]);
    expect(await written(installationChain, "signin.throttled")).toHaveLength(1);
    await harness.sql`truncate molva.signin_attempts`;
  });

  it("by a link is noted when the link is made and when it is used", async () => {
    const link = await createSignInLink(harness.sql, "anna", { clock });
    expect(await newest(installationChain)).toMatchObject({
      ...{ action: "signin_link.created", actor_kind: "command", subject_id: anna },
    });
    await signIn({ link });
    expect(await newest(installationChain)).toMatchObject({
      action: "signin.succeeded",
      meta: { by: "link" },
    });
    await signIn({ link });
    expect(await newest(installationChain)).toMatchObject({ action: "signin.refused", meta: { by: "link" } });
  });
});

describe("a token", () => {
  it("is noted when it is made and revoked, in the audit of its workspace, without the token", async () => {
    const admin = await server.signedIn();
    const body = { name: "n8n", scopes: ["read"], workspace_id: harness.workspaceId };
    const made = await asked(server, admin, "POST", "/tokens", body);
    expect(await newest(harness.workspaceId)).toMatchObject({
      ...{ action: "token.created", actor_kind: "operator", subject_kind: "token", subject_id: made.body.id },
      meta: { name: "n8n", scopes: ["read"] },
    });
    await asked(server, admin, "DELETE", `/tokens/${made.body.id}`);
    const entry = await newest(harness.workspaceId);
    expect(entry).toMatchObject({ action: "token.revoked", subject_id: made.body.id });
    expect(JSON.stringify(entry)).not.toContain(made.body.token);
  });
});

describe("a change", () => {
  const tokenId = async () =>
    (
      await harness.sql`select id from molva.api_tokens where workspace_id = ${harness.workspaceId} order by created_at limit 1`
    )[0]?.id;

  it("is noted with the caller's id, not with a name that can be chosen, and masked like its event", async () => {
    await harness.call("PATCH", `/workspaces/${harness.workspaceId}`, {
      name: "Новое имя",
      reason: "the key is mlv_abcDEF1234567890abcDEF",
    });
    const entry = await newest(harness.workspaceId);
    expect(entry).toMatchObject({
      ...{ action: "config_changed", actor_kind: "token", actor_id: await tokenId(), address: "127.0.0.1" },
      meta: { object: "workspace", changes: { name: { to: "Новое имя" } }, reason: "the key is [secret]" },
    });
  });

  it("that a function of the database makes is noted with the same actor", async () => {
    const endpoint = await harness.call("POST", "/endpoints", { name: "Дверь" });
    const id = endpoint.body.endpoint_id;
    expect(await newest(harness.workspaceId)).toMatchObject({ subject_kind: "endpoint", subject_id: id });
    await harness.call("POST", `/endpoints/${id}/rotate`, { reason: "каждый год" });
    expect(await newest(harness.workspaceId)).toMatchObject({
      ...{ action: "endpoint_rotated", actor_kind: "token", actor_id: await tokenId() },
    });
  });

  it("is read with the present names of who did it and of whom it is about", async () => {
    const admin = await server.signedIn();
    const body = { name: "касса", scopes: ["read"], workspace_id: harness.workspaceId };
    const made = await asked(server, admin, "POST", "/tokens", body);
    const path = `/audit?workspace_id=${harness.workspaceId}&action=token.created&limit=1`;
    const read = async () => (await asked(server, admin, "GET", path)).body.items[0];
    expect(await read()).toMatchObject({ actor_name: expect.any(String), subject_name: "касса" });
    await harness.sql`update molva.api_tokens set name = 'кассы' where id = ${made.body.id}`;
    expect(await read()).toMatchObject({ subject_name: "кассы", meta: { name: "касса" } });
  });

  it("that is only rehearsed leaves nothing", async () => {
    const before = await newest(harness.workspaceId);
    const endpoint = await harness.call("GET", "/endpoints");
    await harness.call("DELETE", `/endpoints/${endpoint.body.items[0].endpoint_id}?dry_run=true&reason=abc`);
    expect(await newest(harness.workspaceId)).toEqual(before);
  });
});

describe("workspaces", () => {
  it("are noted when they are made, exported and deleted, and their audit outlives them", async () => {
    const admin = await harness.server.bearer([...everyScope, "people", "payload"]);
    const call = (method: string, path: string, body?: unknown) =>
      asked(harness.server, admin, method, path, body);
    const { body } = await call("POST", "/workspaces", { name: "Ненадолго" });
    const id: string = body.workspace_id;
    expect(await written(installationChain, "workspace.created")).toMatchObject([{ subject_id: id }]);
    await call("POST", `/workspaces/${id}/disable`, { reason: "закрыли" });
    await (
      await harness.server.call(`/api/v1/workspaces/${id}/export?reason=moving`, { headers: admin })
    ).text();
    const query = new URLSearchParams({ name: "Ненадолго", reason: "закрыли" });
    expect((await call("DELETE", `/workspaces/${id}?${query}`)).status).toBe(204);
    expect(await written(installationChain, "workspace.deleted")).toMatchObject([
      { subject_id: id, meta: { name: "Ненадолго", reason: "закрыли" } },
    ]);
    const left = await harness.sql<
      { action: string }[]
    >`select action from audit.entries where chain_id = ${id} order by seq`;
    expect(left.map(({ action }) => action)).toEqual([
      ...["config_changed", "config_changed", "workspace.exported", "workspace.deleted"],
    ]);
    const reader = await server.signedIn();
    const page = await asked(server, reader, "GET", `/audit?workspace_id=${id}`);
    expect(page.body.items).toHaveLength(4);
  });
});

describe("the audit over HTTP", () => {
  const line = z.object({ workspace_id: z.string().nullable(), seq: z.int(), action: z.string() });

  it("is listed newest first, page by page, and filtered", async () => {
    const admin = await server.signedIn();
    const all: z.infer<typeof line>[] = [];
    let next = "";
    do {
      const { body } = await asked(server, admin, "GET", `/audit?limit=3${next}`);
      all.push(...z.array(line).parse(body.items));
      next = body.next === null ? "" : `&after=${body.next}`;
    } while (next !== "");
    const [{ count }] = await harness.sql<
      [{ count: number }]
    >`select count(*)::int as count from audit.entries`;
    expect(all).toHaveLength(count);
    expect(new Set(all.map(({ workspace_id, seq }) => `${workspace_id} ${seq}`)).size).toBe(count);
    const refused = await asked(
      server,
      admin,
      "GET",
      "/audit?workspace_id=installation&action=signin.refused",
    );
    expect(refused.body.items.map(({ action }: { action: string }) => action)).toEqual([
      ...["signin.refused", "signin.refused", "signin.refused"],
    ]);
    const byCommand = await asked(server, admin, "GET", "/audit?actor=command&until=2020-01-01T00:00:00Z");
    expect(byCommand.body).toEqual({ items: [], next: null });
    expect((await asked(server, admin, "GET", "/audit?after=xyz")).status).toBe(400);
  });

  it("shows a token of one workspace nothing of others, nor of the installation", async () => {
    const bound = await server.bearer(everyScope, harness.workspaceId);
    const { body } = await asked(server, bound, "GET", "/audit?limit=200");
    const of = body.items.map(({ workspace_id }: { workspace_id: string }) => workspace_id);
    expect(new Set(of)).toEqual(new Set([harness.workspaceId]));
    const other = await aWorkspace(harness.sql);
    for (const path of ["/audit", "/audit/export", "/audit/verify"])
      for (const whose of [other, "installation", installationChain])
        expect((await asked(server, bound, "GET", `${path}?workspace_id=${whose}`)).status).toBe(403);
    expect((await asked(server, bound, "GET", "/audit/verify")).body).toMatchObject({ ok: true, chains: 1 });
  });

  it("is for admins, and nothing there changes, removes or shortens it", async () => {
    const writer = await server.bearer(["read", "write", "operate", "payload", "people"]);
    const admin = await server.signedIn();
    for (const path of ["/audit", "/audit/export", "/audit/verify"])
      expect((await asked(server, writer, "GET", path)).status).toBe(403);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect([404, 405]).toContain((await asked(server, admin, method, "/audit", {})).status);
    const settings = { settings: { retention: { events_days: 1, audit_days: 1 } } };
    expect((await harness.call("PATCH", `/workspaces/${harness.workspaceId}`, settings)).status).toBe(400);
  });

  it("is exported as it is verified, and the export itself is noted", async () => {
    const admin = await server.signedIn();
    const answer = await server.call("/api/v1/audit/export", { headers: admin });
    expect(answer.headers.get("content-type")).toContain("application/x-ndjson");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(await verifyExport([bytes], harness.vault)).toMatchObject({ ok: true, findings: [] });
    expect(bytes.toString()).toContain('"action":"audit.exported"');
    const csv = await server.call("/api/v1/audit/export?format=csv", { headers: admin });
    expect(csv.headers.get("content-type")).toContain("text/csv");
    expect(await csv.text()).toMatch(/^workspace_id,seq,/);
    expect((await asked(server, admin, "GET", "/audit/verify")).body).toMatchObject({
      ok: true,
      sealed_at: null,
    });
  });
});
