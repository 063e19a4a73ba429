import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestTwins, type TestTwins } from "../../../twins/shared/testing.ts";
import { auditRows } from "../../audit/index.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { createKeyValue, type KeyValue } from "../../kernel/kv/index.ts";
import { silentLog as log } from "../../kernel/log/index.ts";
import { createGuardedClient, type GuardedClient } from "../../kernel/outbound/index.ts";
import { addOperator, createSignInLink, setPassword } from "../index.ts";
import { createChallenge } from "../operators/second-factor/challenges.ts";
import { startSession } from "../operators/sessions.ts";
import { attemptLimits } from "../operators/throttle.ts";
import { startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";
import { verifiedEmailOf } from "./provider.ts";

const publicUrl = "http://127.0.0.1:8080";
const redirectUri = `${publicUrl}/api/v1/session/oidc/callback`;
const client = { client_id: "molva", client_secret: "s:e%c+r t", redirect_uris: [redirectUri] };

let database: TestDatabase;
let twins: TestTwins;
let http: GuardedClient;
let keyValue: KeyValue;
let server: TestHttpServer;
let people = 0;

beforeAll(async () => {
  database = await testDatabase();
  twins = await startTestTwins();
  await twins.control("POST", "/oidc/clients", client);
  http = createGuardedClient({ allowHosts: [new URL(twins.url).host] });
  keyValue = await createKeyValue({ sql: database.sql, log });
  server = await aServer();
});
beforeEach(async () => {
  await database.sql`truncate molva.signin_attempts`;
  await twins.control("DELETE", "/faults");
});
afterAll(async () => {
  await server?.stop();
  await http?.close();
  await twins?.close();
  await database?.drop();
});

function aServer(change: { allowedDomains?: string[]; issuer?: string; clientSecret?: string } = {}) {
  return startTestHttpServer({
    sql: database.sql,
    settings: { publicUrl, trustProxy: 1 },
    oidc: {
      settings: {
        ...{ issuer: `${twins.url}/oidc`, clientId: "molva", clientSecret: client.client_secret },
        ...{ scopes: "openid email", name: "Вход компании", allowedDomains: [] },
        ...change,
      },
      ...{ http, keyValue },
    },
  });
}

/** A browser: it keeps cookies and goes where it is sent. */
function aBrowser(at = server) {
  const cookies = new Map<string, string>();
  async function visit(path: string, headers: Record<string, string> = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await at.call(path, { headers: { ...headers, ...(cookie && { cookie }) } });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      if (value === "" || /max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }
  /** Goes to the provider; returns the page there. */
  async function begin(query = ""): Promise<string> {
    const answer = await visit(`/api/v1/session/oidc${query}`);
    expect(answer.status).toBe(302);
    return locationOf(answer);
  }
  /** Comes back from the provider; returns where the console is shown. */
  async function end(callback: string): Promise<string> {
    const { pathname, search } = new URL(callback);
    const answer = await visit(pathname + search);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([302, "no-store"]);
    return locationOf(answer).replace(publicUrl, "");
  }
  return {
    ...{ cookies, visit, begin, end },
    session: () => visit("/api/v1/session"),
    signIn: async (sub: string, query = "") => end(await choose(await begin(query), sub)),
  };
}

function locationOf(answer: Response): string {
  return answer.headers.get("location") ?? "";
}

/** The person chooses an account on the provider's page; returns the address that they are sent back to. */
async function choose(page: string, sub: string, decision = "allow"): Promise<string> {
  const body = new URLSearchParams({ decision, account: sub }).toString();
  const answer = await fetch(page, { method: "POST", redirect: "manual", body });
  expect(answer.status).toBe(302);
  return locationOf(answer);
}

const account = (body: { sub: string; email?: string | null; email_verified?: boolean }) =>
  twins.control("POST", "/oidc/accounts", { name: "Анна", ...body });
const flaw = (name: string) =>
  twins.control("POST", "/faults", {
    ...{ provider: "oidc", method: "POST /token", times: 1, fault: { kind: "answer", flaw: name } },
  });

/** An operator and an account at the provider with the same address. */
async function aPerson({ hasAccount = true, domain = "example.org" } = {}) {
  people += 1;
  const [login, sub] = [`anna${people}@${domain}`, `sub-${people}`];
  const added = await addOperator(database.sql, { login, name: "Анна", clock });
  if (added.kind !== "added") throw new Error(added.reason);
  if (hasAccount) await account({ sub, email: login });
  return { id: added.id, login, sub };
}

const aSecondFactor = (operatorId: string) => database.sql`
  insert into molva.second_factors (operator_id, secret, created_at, confirmed_at)
  values (${operatorId}, 'sealed', now(), now())`;

const identities = (operatorId: string) => database.sql`
  select issuer, subject from molva.oidc_identities where operator_id = ${operatorId}`;

describe("signing in through a provider", () => {
  it("is offered with its name, or not at all", async () => {
    const offered = await server.call("/api/v1/session/methods");
    expect(await offered.json()).toEqual({
      oidc: { name: "Вход компании", url: `${publicUrl}/api/v1/session/oidc` },
    });
    const plain = await startTestHttpServer({ sql: database.sql });
    expect(await (await plain.call("/api/v1/session/methods")).json()).toEqual({ oidc: null });
    for (const path of ["", "/callback"])
      expect((await plain.call(`/api/v1/session/oidc${path}`)).status).toBe(404);
    await plain.stop();
  });

  it("opens a session, links the identity once, and returns to where the person wanted to", async () => {
    const { id, login, sub } = await aPerson();
    const browser = aBrowser();
    expect(await browser.signIn(sub, "?return=/tokens%3Fpage%3D2")).toBe("/tokens?page=2");
    expect(await (await browser.session()).json()).toMatchObject({ operator: { login } });
    expect(await aBrowser().signIn(sub)).toBe("/");
    expect(await identities(id)).toEqual([{ issuer: `${twins.url}/oidc`, subject: sub }]);
  });

  it("asks the provider with code, PKCE, state and nonce, new each time", async () => {
    const browser = aBrowser();
    const asked = [new URL(await browser.begin()), new URL(await browser.begin())].map(({ searchParams }) =>
      Object.fromEntries(searchParams),
    );
    for (const query of asked)
      expect(query).toMatchObject({
        ...{ response_type: "code", client_id: "molva", redirect_uri: redirectUri, scope: "openid email" },
        ...{ code_challenge_method: "S256", code_challenge: expect.stringMatching(/^[\w-]{43}$/) },
      });
    for (const name of ["state", "nonce", "code_challenge"])
      expect(asked[0]?.[name]).not.toBe(asked[1]?.[name]);
  });

  it("keeps its cookie from scripts and from every other path", async () => {
    const answer = await aBrowser().visit("/api/v1/session/oidc");
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^molva_oidc=[\w-]{43}; Max-Age=600; Path=\/api\/v1\/session\/oidc\/callback; HttpOnly; SameSite=Lax$/,
    );
  });

  it("knows the person by issuer and subject, also under another address", async () => {
    const { login, sub } = await aPerson();
    await aBrowser().signIn(sub);
    await account({ sub, email: "married@example.org", email_verified: false });
    const browser = aBrowser();
    expect(await browser.signIn(sub)).toBe("/");
    expect(await (await browser.session()).json()).toMatchObject({ operator: { login } });
  });

  it("reads the address from the user info where the ID token has none", async () => {
    const { sub } = await aPerson();
    await twins.control("PATCH", "/oidc/options", { claims_in: "userinfo" });
    expect(await aBrowser().signIn(sub)).toBe("/");
    await twins.control("PATCH", "/oidc/options", { claims_in: "id_token" });
  });

  it("does not replace the second factor", async () => {
    const { id, sub } = await aPerson();
    await aBrowser().signIn(sub);
    await aSecondFactor(id);
    const browser = aBrowser();
    const place = await browser.signIn(sub, "?return=/tokens");
    expect(place).toMatch(/^\/signin#second_step=[\w-]{43}&return=%2Ftokens$/);
    expect([...browser.cookies]).toEqual([]);
  });
});

describe("an identity that is not linked", () => {
  it("is refused if no operator has its address, and nobody is created", async () => {
    await account({ sub: "stranger", email: "stranger@example.org" });
    const browser = aBrowser();
    expect(await browser.signIn("stranger")).toBe("/signin?refused=unknown");
    expect((await browser.session()).status).toBe(401);
    expect(await database.sql`select from molva.operators where login = 'stranger@example.org'`).toHaveLength(
      0,
    );
  });

  it("takes over no account by an address that the provider has not verified, or by none", async () => {
    const { id, login } = await aPerson({ hasAccount: false });
    await account({ sub: "mallory", email: login, email_verified: false });
    expect(await aBrowser().signIn("mallory")).toBe("/signin?refused=unverified");
    await account({ sub: "mallory", email: null });
    expect(await aBrowser().signIn("mallory")).toBe("/signin?refused=unverified");
    expect(await identities(id)).toEqual([]);
  });

  it.each([[{}], [{ email_verified: "true" }], [{ email_verified: 1 }], [{ email_verified: null }]])(
    "counts as unverified with %j",
    (claims) => {
      expect(verifiedEmailOf({ email: "anna@example.org", ...claims })).toBeUndefined();
      expect(verifiedEmailOf({ email: "anna@example.org", email_verified: true })).toBe("anna@example.org");
    },
  );

  it("does not get the account of somebody whose address was given away at the provider", async () => {
    const { id, login, sub } = await aPerson();
    await aBrowser().signIn(sub);
    await account({ sub: "successor", email: login });
    expect(await aBrowser().signIn("successor")).toBe("/signin?refused=other_identity");
    expect(await identities(id)).toMatchObject([{ subject: sub }]);
  });

  it("leaves nothing of the ways in that somebody else may have set up under the address", async () => {
    const { sql } = database;
    const { id, login, sub } = await aPerson();
    const visitor = { address: "198.51.100.7", userAgent: undefined };
    await setPassword(sql, { login, password: "verbal-marmalade-42" });
    await aSecondFactor(id);
    await startSession(sql, { operatorId: id, ...visitor, clock });
    await createSignInLink(sql, login, { clock });
    await createChallenge(sql, { operatorId: id, method: "password", clock });

    const browser = aBrowser();
    expect(await browser.signIn(sub)).toBe("/");
    expect(await (await browser.session()).json()).toMatchObject({
      operator: { login, has_password: false },
    });
    const [left] = await sql`
      select (select count(*)::int from molva.sessions where operator_id = ${id}) as sessions,
             (select count(*)::int from molva.signin_links where operator_id = ${id}) as links,
             (select count(*)::int from molva.signin_challenges where operator_id = ${id}) as challenges,
             (select count(*)::int from molva.second_factors where operator_id = ${id}) as factors`;
    expect(left).toEqual({ sessions: 1, links: 0, challenges: 0, factors: 0 });
    const linked = (await auditRows(sql, {}, { limit: 1000 })).filter(
      ({ action, subject }) => action === "oidc.linked" && subject?.id === id,
    );
    expect(linked).toMatchObject([{ meta: { had_password: true, had_second_factor: true } }]);
  });

  it("leaves the password and the sessions of later alone", async () => {
    const { login, sub } = await aPerson();
    const first = aBrowser();
    await first.signIn(sub);
    await setPassword(database.sql, { login, password: "verbal-marmalade-42" });
    await first.signIn(sub);
    await aBrowser().signIn(sub);
    expect(await (await first.session()).json()).toMatchObject({ operator: { has_password: true } });
  });

  it("is linked once when it comes twice at once", async () => {
    const { id, sub } = await aPerson();
    expect(await Promise.all([1, 2, 3].map(() => aBrowser().signIn(sub)))).toEqual(["/", "/", "/"]);
    expect(await identities(id)).toHaveLength(1);
  });

  it("must be of an allowed domain where some are named, and so must a linked one", async () => {
    const picky = await aServer({ allowedDomains: ["company.example"] });
    const [inside, outside, linked] = [
      await aPerson({ domain: "company.example" }),
      await aPerson({ domain: "company.example.evil.example" }),
      await aPerson(),
    ];
    await aBrowser().signIn(linked.sub);
    expect(await aBrowser(picky).signIn(inside.sub)).toBe("/");
    for (const { sub } of [outside, linked])
      expect(await aBrowser(picky).signIn(sub)).toBe("/signin?refused=domain");
    await account({ sub: inside.sub, email: inside.login, email_verified: false });
    expect(await aBrowser(picky).signIn(inside.sub)).toBe("/signin?refused=unverified");
    await picky.stop();
  });

  it("opens nothing for a disabled operator, linked or not", async () => {
    const [linked, fresh] = [await aPerson(), await aPerson()];
    await aBrowser().signIn(linked.sub);
    await database.sql`update molva.operators set disabled = true where id in ${database.sql([linked.id, fresh.id])}`;
    for (const { sub } of [linked, fresh])
      expect(await aBrowser().signIn(sub)).toBe("/signin?refused=disabled");
  });
});

describe("an answer of the provider", () => {
  it.each(["wrong_nonce", "wrong_audience", "wrong_issuer", "expired", "unknown_key"])(
    "with a token that is %s signs nobody in",
    async (name) => {
      const { id, sub } = await aPerson();
      const browser = aBrowser();
      const callback = await choose(await browser.begin(), sub);
      await flaw(name);
      expect(await browser.end(callback)).toBe("/signin?refused=failed");
      expect((await browser.session()).status).toBe(401);
      expect(await identities(id)).toEqual([]);
    },
  );

  it("works once: neither the same browser nor another comes in with it again", async () => {
    const { sub } = await aPerson();
    const browser = aBrowser();
    const callback = await choose(await browser.begin(), sub);
    const cookie = browser.cookies.get("molva_oidc") ?? "";
    expect(await browser.end(callback)).toBe("/");
    expect(await browser.end(callback)).toBe("/signin?refused=stale");
    const thief = aBrowser();
    thief.cookies.set("molva_oidc", cookie);
    expect(await thief.end(callback)).toBe("/signin?refused=stale");
    expect((await thief.session()).status).toBe(401);
  });

  it("signs nobody in within a sign-in that another browser began", async () => {
    const [anna, mallory] = [await aPerson(), await aPerson()];
    const [hers, his] = [aBrowser(), aBrowser()];
    const herPage = await hers.begin();
    // Mallory's own answer, slipped to Anna: she would work in Mallory's account without noticing.
    const slipped = await choose(await his.begin(), mallory.sub);
    expect(await hers.end(slipped)).toBe("/signin?refused=stale");
    // Anna's answer, stolen on the way: it opens nothing in Mallory's browser.
    const thief = aBrowser();
    await thief.begin();
    const stolen = await choose(herPage, anna.sub);
    expect(await thief.end(stolen)).toBe("/signin?refused=stale");
    for (const browser of [hers, thief]) expect((await browser.session()).status).toBe(401);
  });

  it("with a code of another sign-in fails, because the code is bound to its own", async () => {
    const [anna, mallory] = [await aPerson(), await aPerson()];
    const browser = aBrowser();
    const own = new URL(await choose(await browser.begin(), anna.sub));
    const other = new URL(await choose(await aBrowser().begin(), mallory.sub));
    own.searchParams.set("code", other.searchParams.get("code") ?? "");
    expect(await browser.end(own.href)).toBe("/signin?refused=failed");
  });

  it.each([
    ["no state", (query: URLSearchParams) => query.delete("state")],
    ["another state", (query: URLSearchParams) => query.set("state", "x".repeat(43))],
  ])("with %s is refused", async (_name, change) => {
    const { sub } = await aPerson();
    const browser = aBrowser();
    const callback = new URL(await choose(await browser.begin(), sub));
    change(callback.searchParams);
    expect(await browser.end(callback.href)).toBe("/signin?refused=stale");
  });

  it.each([
    ["another issuer's name", (query: URLSearchParams) => query.set("iss", "https://evil.example")],
    ["two codes", (query: URLSearchParams) => query.append("code", "x")],
    ["no code", (query: URLSearchParams) => query.delete("code")],
  ])("with %s is refused", async (_name, change) => {
    const { sub } = await aPerson();
    const browser = aBrowser();
    const callback = new URL(await choose(await browser.begin(), sub));
    change(callback.searchParams);
    expect(await browser.end(callback.href)).toBe("/signin?refused=failed");
    expect((await browser.session()).status).toBe(401);
  });

  it("that says no leads back to the sign-in page", async () => {
    const { sub } = await aPerson();
    const browser = aBrowser();
    expect(await browser.end(await choose(await browser.begin(), sub, "deny"))).toBe(
      "/signin?refused=cancelled",
    );
  });

  it("is waited for ten minutes", async () => {
    const { sub } = await aPerson();
    const browser = aBrowser();
    const callback = await choose(await browser.begin(), sub);
    await database.sql`update molva.kv set expires_at = now() - interval '1 second' where key like 'oidc:%'`;
    expect(await browser.end(callback)).toBe("/signin?refused=stale");
  });
});

it("leaves no session without its entry in the audit", async () => {
  const { sub, id, login } = await aPerson();
  await database.sql.unsafe(`
    create or replace function public.refuse_entry() returns trigger language plpgsql as 'begin raise exception ''the audit is full''; end';
    create or replace trigger refuse_entry before insert on audit.pending for each row
      when (new.action = 'signin.succeeded') execute function public.refuse_entry()`);
  const browser = aBrowser();
  const { pathname, search } = new URL(await choose(await browser.begin(), sub));
  expect((await browser.visit(pathname + search)).status).toBe(500);
  const link = (await createSignInLink(database.sql, login, { clock })) ?? "";
  expect((await server.call("/api/v1/session", { body: { link } })).status).toBe(500);
  expect(await database.sql`select from molva.sessions where operator_id = ${id}`).toHaveLength(0);
  await database.sql.unsafe("drop trigger refuse_entry on audit.pending");
});

it("does not let a stolen cookie of somebody without a password make one that opens the door for good", async () => {
  const { sub } = await aPerson();
  const browser = aBrowser();
  await browser.signIn(sub);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  await database.sql`update molva.sessions set created_at = created_at - interval '10 minutes'`;
  for (const [method, path, body] of [
    ["PUT", "/api/v1/session/password", { password: "verbal-marmalade-42" }],
    ["POST", "/api/v1/session/second-factor", {}],
  ] as const) {
    const headers = { cookie, origin: publicUrl };
    const answer = await server.call(path, { method, headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: "signin_too_old" }]);
  }
});

describe("the way to the provider", () => {
  it.each(["https://evil.example/", "//evil.example", "/%5Cevil.example", "/%09/evil.example"])(
    "returns to no other site: %s",
    async (address) => {
      const { sub } = await aPerson();
      expect(await aBrowser().signIn(sub, `?return=${address}`)).toBe("/");
    },
  );

  it("says that it failed when the provider is down or does not know us, and works again afterwards", async () => {
    const wrong = await aServer({ clientSecret: "old" });
    const { sub } = await aPerson();
    await twins.control("POST", "/faults", {
      ...{ provider: "oidc", method: "GET /.well-known/openid-configuration", times: 1 },
      fault: { kind: "status", status: 503 },
    });
    const answer = await aBrowser(wrong).visit("/api/v1/session/oidc");
    expect(locationOf(answer)).toBe(`${publicUrl}/signin?refused=failed`);
    expect(await aBrowser(wrong).signIn(sub)).toBe("/signin?refused=failed");
    await wrong.stop();
    await twins.control("POST", "/faults", {
      ...{ provider: "oidc", method: "POST /token", times: 1, fault: { kind: "malformed" } },
    });
    expect(await aBrowser().signIn(sub)).toBe("/signin?refused=failed");
    expect(await aBrowser().signIn(sub)).toBe("/");
  });

  it("reaches nothing inside the network but the issuer that was named", async () => {
    const strictHttp = createGuardedClient();
    const closed = await startTestHttpServer({
      sql: database.sql,
      oidc: {
        settings: {
          ...{ issuer: `${twins.url}/oidc`, clientId: "molva", clientSecret: "x" },
          ...{ scopes: "openid", name: "x", allowedDomains: [] },
        },
        ...{ http: strictHttp, keyValue },
      },
    });
    const answer = await closed.call("/api/v1/session/oidc");
    expect(locationOf(answer)).toContain("/signin?refused=failed");
    await closed.stop();
    await strictHttp.close();
  });

  it("may be begun so often from an address; who arrives is not counted", async () => {
    const { sub } = await aPerson();
    await aBrowser().signIn(sub);
    expect(await database.sql`select from molva.signin_attempts where attempts > 0`).toHaveLength(0);
    await aBrowser().begin();
    await database.sql`update molva.signin_attempts set attempts = ${attemptLimits.oidc}`;
    expect(locationOf(await aBrowser().visit("/api/v1/session/oidc"))).toContain("refused=throttled");
    const elsewhere = await aBrowser().visit("/api/v1/session/oidc", { "x-forwarded-for": "203.0.113.9" });
    expect(locationOf(elsewhere)).toContain(twins.url);
  });
});

it("a state that is no text is refused as every malformed request", async () => {
  const answer = await server.call("/api/v1/session/oidc/callback?state=a&state=b");
  expect(z.object({ code: z.string() }).parse(await answer.json()).code).toBe("invalid_request");
});
