import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aWorkspace } from "../../../src/delivery/testing/builders.ts";
import {
  addMember,
  addOperator,
  createApiToken,
  createSignInLink,
  ensureAdmin,
  type Role,
  roleScopes,
  roles,
  type Scope,
  scopes,
} from "../../../src/http/index.ts";
import { cookieOf } from "../../../src/http/testing/http-server.ts";
import { systemClock as clock } from "../../../src/kernel/clock/index.ts";
import { createVault, generateKey } from "../../../src/kernel/crypto/index.ts";
import { silentLog } from "../../../src/kernel/log/index.ts";
import { createSystem, type System } from "../../../src/main.ts";
import { configFrom } from "../../../src/modules.ts";
import { databaseWithJobs, type TestDatabase } from "../../support/database.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { textOfAnswer } from "../../support/text-of-answer.ts";
import { type Operation, readOperations } from "./operations.ts";
import { aVictim, callersName, mark, type Victim, watchState } from "./victim.ts";

/** Operations without a token, and why each is allowed. An unlisted one fails the first test. */
const open: Readonly<Record<string, string>> = {
  "POST /api/v1/ingest": "opened by the secret of an endpoint",
  "POST /api/v1/ingest/{address}": "opened by a signature with the secret of an endpoint",
  "POST /api/v1/bots/max/webhook": "opened by the secret of a bot's endpoint",
  "POST /api/v1/bots/telegram/advisor-bot/{workspace_id}": "opened by the secret of a bot's webhook",
  "POST /api/v1/bots/telegram/seo-bot/{workspace_id}": "opened by the secret of a bot's webhook",
  "POST /webhook": "opened by the secret of SEO Master's webhook",
  "POST /api/v1/session": "signing in",
  "POST /api/v1/invitation": "opened by the link's own token",
  "POST /api/v1/invitation/accept": "opened by the link's own token",
  "GET /api/v1/session/methods": "says how to sign in",
  "GET /api/v1/session/oidc": "signing in: sends the browser to the provider",
  "GET /api/v1/session/oidc/callback": "signing in: opened by what the provider says",
  "GET /api/v1/payload-links/{*}": "opened by the link's own token",
  "GET /v1/health": "says nothing but that the advisor lives",
  "PUT /v1/media/upload/{media_id}": "opened by the signature of its own address",
  ...Object.fromEntries(
    [
      "POST /v1/chat/ask",
      "GET /v1/me",
      "GET /v1/history",
      "POST /v1/consents",
      "POST /v1/data/delete",
      "POST /v1/plan",
      "POST /v1/media/init",
      "POST /v1/pets/upsert",
      "GET /v1/pets/active",
      "POST /v1/pets/active/save",
    ].map((name) => [name, "opened by the token of the advisor's clients; see src/advisor/service.test.ts"]),
  ),
  "GET /healthz": "says nothing but that the process lives",
  "GET /healthz/readiness": "says nothing but what is ready",
  "GET /metrics": "for this machine; from elsewhere with the scope metrics",
};

/** For people with a session; any token is refused. */
const operatorsOnly = new Set([
  "GET /api/v1/session",
  "DELETE /api/v1/session",
  "PUT /api/v1/session/password",
  "GET /api/v1/sessions",
  "DELETE /api/v1/sessions/{id}",
  "GET /api/v1/session/second-factor",
  "POST /api/v1/session/second-factor",
  "POST /api/v1/session/second-factor/confirm",
  "POST /api/v1/session/second-factor/recovery-codes",
  "POST /api/v1/session/second-factor/remove",
]);

/** The rights of people are given by people: a token that has the scope is refused too. */
const byPeopleOnly = new Set([
  "PATCH /api/v1/members/{operator_id}",
  "DELETE /api/v1/members/{operator_id}",
  "POST /api/v1/invitations",
  "DELETE /api/v1/invitations/{invitation_id}",
]);

/** What needs more than the scope of its route. */
const alsoNeeded: Readonly<Record<string, readonly Scope[]>> = {
  "GET /api/v1/workspaces/{workspace_id}/export": ["people", "payload"],
};

/** About the whole installation: no role in a workspace is enough. */
const ofTheInstallation = new Set(["POST /api/v1/workspaces", "DELETE /api/v1/workspaces/{workspace_id}"]);

/** Not about one workspace: a bound token gets its own data, and `mark` must not appear in it. */
const ofTheCaller = new Set([
  "GET /api/v1/workspaces",
  "GET /api/v1/tokens",
  "POST /api/v1/tokens",
  "GET /api/v1/llm/providers",
  "GET /api/v1/advisor/plans",
]);

const operations = readOperations();
const guarded = operations.filter((operation) => !(operation.name in open));
const changing = guarded.filter(({ method }) => method !== "GET");
const rows = (of: readonly Operation[]) => of.map((operation) => [operation.name, operation] as const);

let database: TestDatabase;
let system: System;
let victim: Victim;
let intruder: string;

beforeAll(async () => {
  database = await databaseWithJobs();
  const key = generateKey();
  const settings = {
    MOLVA_HOME: tempFolder("matrix"),
    MOLVA_PORT: "0",
    DATABASE_URL: database.url,
    MOLVA_ENCRYPTION_KEYS: key,
  };
  system = await createSystem({
    config: configFrom(settings),
    environment: settings,
    databaseUrl: database.url,
    roles: ["api"],
    log: silentLog,
  });
  await system.start();
  victim = await aVictim(database.sql, createVault([key], clock));
  intruder = await aWorkspace(database.sql, { name: "Чужое" });
});
afterAll(async () => {
  await system?.stop();
  await database?.drop();
});

describe("the published operations", () => {
  it("are open to anybody only where a reason is given", () => {
    const withoutToken = operations.filter(({ scope }) => scope === undefined).map(({ name }) => name);
    expect(withoutToken.toSorted()).toEqual(Object.keys(open).toSorted());
  });
});

describe("operations that show what people said or who they are", () => {
  it("are these, and need the scope for people", () => {
    const aboutPeople = operations.filter(({ scope }) => scope === "people").map(({ name }) => name);
    expect(aboutPeople.toSorted()).toEqual([
      "GET /api/v1/accounts/{account_id}/phone",
      "GET /api/v1/advisor/users",
      "GET /api/v1/advisor/users/{telegram_user_id}",
      "GET /api/v1/billing/holds",
      "GET /api/v1/billing/payments",
      "GET /api/v1/billing/payments/{id}",
      "GET /api/v1/billing/subscriptions",
      "GET /api/v1/billing/users",
      "GET /api/v1/billing/users/{user_id}",
      "GET /api/v1/billing/users/{user_id}/movements",
      "GET /api/v1/bot/dialogues",
      "GET /api/v1/bot/dialogues/{chat_id}",
      "GET /api/v1/bot/dialogues/{chat_id}/answers/{message_id}",
      "GET /api/v1/bot/unanswered",
      "GET /api/v1/seo/admin/failures",
      "GET /api/v1/seo/admin/find",
      "GET /api/v1/seo/admin/statistics",
      "GET /api/v1/seo/users",
      "GET /api/v1/seo/users/{user_id}",
      "GET /api/v1/seo/users/{user_id}/categories/{category_id}",
      "GET /api/v1/seo/users/{user_id}/categories/{category_id}/keywords",
      "GET /api/v1/seo/users/{user_id}/categories/{category_id}/keywords/export",
      "GET /api/v1/seo/users/{user_id}/categories/{category_id}/media",
      "GET /api/v1/seo/users/{user_id}/categories/{category_id}/prices",
      "GET /api/v1/seo/users/{user_id}/categories/{category_id}/reviews",
      "GET /api/v1/seo/users/{user_id}/categories/{category_id}/settings",
      "GET /api/v1/seo/users/{user_id}/connections/{connection_id}",
      "GET /api/v1/seo/users/{user_id}/images/{run_id}",
      "GET /api/v1/seo/users/{user_id}/previews",
      "GET /api/v1/seo/users/{user_id}/previews/{preview_id}",
      "GET /api/v1/seo/users/{user_id}/projects",
      "GET /api/v1/seo/users/{user_id}/projects/{project_id}",
      "GET /api/v1/seo/users/{user_id}/projects/{project_id}/audit",
      "GET /api/v1/seo/users/{user_id}/projects/{project_id}/audit/history",
      "GET /api/v1/seo/users/{user_id}/projects/{project_id}/branding",
      "GET /api/v1/seo/users/{user_id}/projects/{project_id}/categories",
      "GET /api/v1/seo/users/{user_id}/projects/{project_id}/connections",
      "GET /api/v1/seo/users/{user_id}/projects/{project_id}/search-pages",
      "GET /api/v1/seo/users/{user_id}/projects/{project_id}/site",
      "GET /api/v1/seo/users/{user_id}/projects/{project_id}/style",
      "GET /api/v1/seo/users/{user_id}/publications",
      "GET /api/v1/seo/users/{user_id}/publications/{publication_id}/ranks",
      "POST /api/v1/bot/replay",
      "POST /api/v1/seo/users/{user_id}/projects/{project_id}/style/check",
    ]);
  });
});

describe("without a right to call", () => {
  it.each(rows(guarded))("%s is refused", async (_, operation) => {
    const scope = scopeOf(operation);
    const strangers = {
      nobody: {},
      "a made-up token": { authorization: "Bearer mlv_0000000000000000000000000000000000000000" },
      "a token that expired": await bearer([scope], { expired: true }),
      "a token that was revoked": await bearer([scope], { revoked: true }),
      "the secret of an endpoint": { authorization: `Bearer ${victim.endpointSecret}` },
      "a made-up session": { cookie: "molva_session=0000000000000000", origin: system.url() },
    };
    for (const [who, headers] of Object.entries<Record<string, string>>(strangers))
      expect({ who, ...(await send(operation, headers)) }).toMatchObject({ who, status: 401 });
  });

  it.each(rows(guarded))("%s is refused to every other scope", async (_, operation) => {
    const others = scopes.filter((scope) => scope !== operation.scope);
    for (const held of [...others.map((scope) => [scope]), others])
      expect({ held, ...(await send(operation, await bearer(held))) }).toMatchObject({
        held,
        status: 403,
        code: "scope_missing",
      });
  });

  it.each(rows(changing))(
    "%s is refused to another site's page in the operator's browser",
    async (_, operation) => {
      const { cookie } = await signedIn();
      const pages = [
        {},
        { origin: "https://evil.example" },
        { origin: "null" },
        { "sec-fetch-site": "cross-site" },
      ];
      for (const page of pages)
        expect({ page, ...(await send(operation, { cookie, ...page })) }).toMatchObject({
          page,
          status: 403,
          code: "cross_origin",
        });
    },
  );
});

describe("with a right to call in another workspace", () => {
  let state: () => Promise<Record<string, string | null>>;
  let before: Record<string, string | null>;
  beforeAll(async () => {
    state = await watchState(database.sql, victim.workspaceId);
    before = await state();
  });

  it.each(rows(guarded))("%s does not touch or show what is not the caller's", async (_, operation) => {
    const headers = await bearer([scopeOf(operation), "read"], { workspaceId: intruder });
    const named = operation.takesWorkspace ? { workspace_id: victim.workspaceId } : {};
    const asked = await send(operation, headers, named);
    if (operatorsOnly.has(operation.name))
      expect(asked).toMatchObject({ status: 403, code: "operators_only" });
    else if (!ofTheCaller.has(operation.name))
      expect(asked).toMatchObject({ status: expect.toSatisfy(isRefusal) });
    // Without naming it: ids of the victim's objects alone must give no access either.
    const silent = await send(operation, headers);
    for (const { text } of [asked, silent]) expect(text).not.toContain(mark);
    const unchanged = before;
    before = await state();
    expect(before).toEqual(unchanged);
  });

  it("no token is made for it, nor with more than the maker may", async () => {
    const headers = await bearer(["admin"], { workspaceId: intruder });
    const make = operationCalled("POST /api/v1/tokens");
    const other = { ...make, body: { name: "x", scopes: ["admin"], workspace_id: victim.workspaceId } };
    expect(await send(other, headers)).toMatchObject({ status: 403, code: "other_workspace" });
    const more = { ...make, body: { name: "x", scopes: ["admin", "payload"] } };
    expect(await send(more, headers)).toMatchObject({ status: 403, code: "scope_missing" });
    const bound = { ...make, body: { name: "x", scopes: ["admin"], workspace_id: null } };
    expect(JSON.parse((await send(bound, headers)).text)).toMatchObject({ workspace_id: intruder });
  });
});

describe("a person with a role", () => {
  let state: () => Promise<Record<string, string | null>>;
  let before: Record<string, string | null>;
  beforeAll(async () => {
    for (const role of roles)
      for (const workspaceId of [victim.workspaceId, intruder]) await signedInAs(role, workspaceId);
    state = await watchState(database.sql, victim.workspaceId);
    before = await state();
  });

  it.each(rows(guarded.filter(({ name }) => !operatorsOnly.has(name))))(
    "is refused %s in another workspace, and in theirs if the role lacks its scope",
    async (_, operation) => {
      const named = operation.takesWorkspace ? { workspace_id: victim.workspaceId } : {};
      const scope = scopeOf(operation);
      for (const role of roles) {
        const stranger = await signedInAs(role, intruder);
        const asked = await send(operation, stranger, named);
        expect(asked.text, role).not.toContain(mark);
        if (!ofTheCaller.has(operation.name))
          expect({ role, ...asked }).toMatchObject({ role, status: expect.toSatisfy(isRefusal) });
        // Without naming it: ids of the victim's objects alone must give no access either.
        if (roleScopes[role].includes(scope))
          expect((await send(operation, stranger)).text, role).not.toContain(mark);
        if (roleScopes[role].includes(scope) && !ofTheInstallation.has(operation.name)) continue;
        const own = await send(operation, await signedInAs(role, victim.workspaceId), named);
        const code = expect.stringMatching(/^(scope_missing|administrators_only)$/);
        expect({ role, ...own }).toMatchObject({ role, status: 403, code });
      }
      const unchanged = before;
      before = await state();
      expect(before).toEqual(unchanged);
    },
  );

  it.each(rows(guarded.filter(({ name }) => operatorsOnly.has(name))))(
    "or without one has %s for the own session alone",
    async (_, operation) => {
      const answer = await send(operation, await signedInAs(null, intruder));
      expect(answer.text).not.toContain(mark);
      expect([200, 201, 204, 404, 409, 422]).toContain(answer.status);
    },
  );
});

describe("ingest", () => {
  it.each([
    ["without a secret", {}, 401],
    ["with a blank secret", { "x-molva-secret": " " }, 401],
    ["with a made-up secret", { "x-molva-secret": "guess" }, 403],
    ["with a secret that is SQL", { "x-molva-secret": "' or true --" }, 403],
    ["with the secret in the address", {}, 401],
  ])("is refused %s", async (how, headers, status) => {
    const operation = operationCalled("POST /api/v1/ingest");
    const query: Record<string, string> = how.endsWith("address") ? { secret: victim.endpointSecret } : {};
    expect((await send(operation, headers, query)).status).toBe(status);
  });

  it("is refused with an API token, and with the secret of a disabled endpoint", async () => {
    const operation = operationCalled("POST /api/v1/ingest");
    expect((await send(operation, await bearer(scopes))).status).toBe(403);
    await database.sql`update delivery.workspace_endpoints set enabled = false`;
    expect((await send(operation, { "x-molva-secret": victim.endpointSecret })).status).toBe(403);
    await database.sql`update delivery.workspace_endpoints set enabled = true`;
  });
});

describe("a bot's webhook", () => {
  const operation = operationCalled("POST /api/v1/bots/max/webhook");

  it.each([
    ["without a secret", {}, 401],
    ["with a blank secret", { "x-max-bot-api-secret": " " }, 401],
    ["with a made-up secret", { "x-max-bot-api-secret": "guess" }, 403],
    ["with a secret that is SQL", { "x-max-bot-api-secret": "' or true --" }, 403],
    ["with the secret in the address", {}, 401],
  ])("is refused %s", async (how, headers, status) => {
    const query: Record<string, string> = how.endsWith("address") ? { secret: victim.botSecret } : {};
    expect((await send(operation, headers, query)).status).toBe(status);
  });

  it("opens with its own secret alone: neither with an API token nor with the secret of another door", async () => {
    expect((await send(operation, await bearer(scopes))).status).toBe(403);
    expect((await send(operation, { "x-max-bot-api-secret": victim.endpointSecret })).status).toBe(403);
    const ingest = operationCalled("POST /api/v1/ingest");
    expect((await send(ingest, { "x-molva-secret": victim.botSecret })).status).toBe(403);
    // Let in, and then told that the body is no update.
    expect(await send(operation, { "x-max-bot-api-secret": victim.botSecret })).toMatchObject({
      status: 400,
      code: "invalid_request",
    });
  });
});

/** Last, because these calls really change data: the refusals above mean something only if the right caller gets in. */
describe("with the right token", () => {
  it.each(rows(guarded.filter(({ name }) => !operatorsOnly.has(name))))(
    "%s is answered",
    async (_, operation) => {
      const query = operation.takesWorkspace ? { workspace_id: victim.workspaceId } : {};
      const more = alsoNeeded[operation.name] ?? [];
      if (more.length > 0)
        expect(await send(operation, await bearer([scopeOf(operation)]), query)).toMatchObject({
          ...{ status: 403, code: "scope_missing" },
        });
      const token = await bearer([scopeOf(operation), ...more]);
      if (byPeopleOnly.has(operation.name))
        expect(await send(operation, token, query)).toMatchObject({ status: 403, code: "operators_only" });
      const person = { ...(await signedIn()), origin: system.url() };
      const { status, text } = await send(
        operation,
        byPeopleOnly.has(operation.name) ? person : token,
        query,
      );
      expect([400, 401, 403, 500], text).not.toContain(status);
    },
  );

  it.each(rows(guarded.filter(({ method, name }) => method === "GET" && !operatorsOnly.has(name))))(
    "%s is answered to every role that has its scope, too",
    async (_, operation) => {
      const query = operation.takesWorkspace ? { workspace_id: victim.workspaceId } : {};
      for (const role of roles.filter((each) => roleScopes[each].includes(scopeOf(operation)))) {
        const { status, code, text } = await send(
          operation,
          await signedInAs(role, victim.workspaceId),
          query,
        );
        expect([400, 401, 500], text).not.toContain(status);
        // What belongs to another operator is theirs in every role but admin.
        if (status === 403)
          expect({ role, code }).toEqual({ role: expect.not.stringMatching("admin"), code: "not_yours" });
      }
    },
  );
});

function isRefusal(status: number): boolean {
  return status === 403 || status === 404;
}

function scopeOf({ name, scope }: Operation): Scope {
  if (!scope) throw new Error(`${name} declares no scope`);
  return scope;
}

function operationCalled(name: string): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found;
}

async function send(
  operation: Operation,
  headers: Record<string, string>,
  query: Record<string, string> = {},
) {
  const { method, body } = operation;
  const url = new URL(system.url() + pathOf(operation));
  for (const name of operation.requiredQuery) url.searchParams.set(name, "break-in");
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const answer = await fetch(url, {
    method,
    redirect: "manual",
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await textOfAnswer(answer);
  const isProblem = answer.headers.get("content-type")?.includes("problem+json");
  return { status: answer.status, code: isProblem ? JSON.parse(text).code : undefined, text };
}

/** The victim's own id for every part of the path: `/channels/{channel_id}` is found under `channels.channel_id`. */
function pathOf({ pattern }: Operation): string {
  let collection = "";
  const steps = pattern.split("/").map((step) => {
    const name = /^\{(.+)\}$/.exec(step)?.[1];
    if (name === undefined) {
      collection = step;
      return step;
    }
    const id = victim.ids[`${collection}.${name}`];
    if (id === undefined) throw new Error(`${pattern}: name the victim's ${collection}.${name} in victim.ts`);
    return encodeURIComponent(id);
  });
  return steps.join("/");
}

interface Given {
  readonly workspaceId?: string;
  readonly expired?: boolean;
  readonly revoked?: boolean;
}

const tokens = new Map<string, Promise<{ authorization: string }>>();

/** One token for all calls with the same rights. */
function bearer(held: readonly Scope[], given: Given = {}): Promise<{ authorization: string }> {
  const key = JSON.stringify([held, given]);
  const token = tokens.get(key) ?? aToken(held, given);
  tokens.set(key, token);
  return token;
}

async function aToken(held: readonly Scope[], given: Given): Promise<{ authorization: string }> {
  const { sql } = database;
  const { id, token } = await createApiToken(sql, {
    name: callersName,
    scopes: held,
    workspaceId: given.workspaceId ?? null,
    createdBy: null,
    expiresAt: given.expired ? new Date(Date.now() - 1_000) : null,
    clock,
  });
  if (given.revoked) await sql`update molva.api_tokens set revoked_at = now() where id = ${id}`;
  return { authorization: `Bearer ${token}` };
}

let session: Promise<{ cookie: string }> | undefined;

function signedIn(): Promise<{ cookie: string }> {
  session ??= ensureAdmin(database.sql, { clock }).then(({ login }) => byLink(login));
  return session;
}

const people = new Map<string, Promise<{ cookie: string }>>();

/** One person for each role in each workspace; one without a role is a new one every time, because they may sign out. */
async function signedInAs(
  role: Role | null,
  workspaceId: string,
): Promise<{ cookie: string; origin: string }> {
  const key = role === null ? `nobody-${people.size}` : `${role}-${workspaceId}`;
  const person = people.get(key) ?? aPerson(key, role, workspaceId);
  people.set(key, person);
  return { ...(await person), origin: system.url() };
}

async function aPerson(login: string, role: Role | null, workspaceId: string): Promise<{ cookie: string }> {
  const made = await addOperator(database.sql, { login, name: callersName, clock });
  if (made.kind === "refused") throw new Error(made.reason);
  const membership = { workspaceId, operatorId: made.id, now: clock.now() };
  if (role) await addMember(database.sql, { ...membership, role });
  return byLink(login);
}

async function byLink(login: string): Promise<{ cookie: string }> {
  const link = await createSignInLink(database.sql, login, { clock });
  const answer = await fetch(`${system.url()}/api/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ link }),
  });
  return { cookie: cookieOf(answer) };
}
