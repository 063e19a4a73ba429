import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import {
  addOperator,
  createSignInLink,
  ensureAdmin,
  findOperator,
  scopes,
  setOperator,
  setPassword,
  signInUrl,
} from "../index.ts";
import { attemptLimits } from "../operators/throttle.ts";
import { cookieOf, startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";

const day = 24 * 60 * 60 * 1000;
const password = "verbal-marmalade-42";
const workspaces = [{ id: "0198c0de-0000-7000-8000-000000000001", name: "Демо", status: "active" }];

const clock = manualClock();
let database: TestDatabase;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  server = await startTestHttpServer({
    sql: database.sql,
    clock,
    listWorkspaces: async () => workspaces,
    settings: { trustProxy: 1 },
  });
  await ensureAdmin(database.sql, { clock });
});
beforeEach(async () => {
  await database.sql`truncate molva.signin_attempts`;
  await database.sql`update molva.operators set password_hash = null`;
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

const disable = async (login: string) => {
  const operator = await findOperator(database.sql, login);
  await setOperator(database.sql, operator?.id ?? "", { disabled: true });
};
const link = async () => (await createSignInLink(database.sql, "admin", { clock })) ?? "";
const signIn = (body: unknown, headers: Record<string, string> = {}) =>
  server.call("/api/v1/session", { body, headers });
const session = (cookie: string) => server.call("/api/v1/session", { headers: { cookie } });

/** Sets the counter of earlier attempts: each real attempt takes a deliberate quarter of a second. */
const pretendAttempts = (attempts: number) =>
  database.sql`update molva.signin_attempts set attempts = ${attempts}`;

async function codeOf(answer: Response) {
  return [answer.status, z.object({ code: z.string() }).parse(await answer.json()).code];
}

describe("a sign-in link", () => {
  it("is an address whose secret stays in the browser", () => {
    expect(signInUrl("https://molva.example/", "abc")).toBe("https://molva.example/signin#abc");
  });

  it("opens a session and names operator, scopes and workspaces", async () => {
    const answer = await signIn({ link: await link() });
    expect(answer.status).toBe(200);
    const body = await answer.json();
    expect(body).toEqual({
      operator: {
        id: expect.any(String),
        login: "admin",
        name: "Администратор",
        has_password: false,
        administrator: true,
      },
      scopes: [...scopes],
      expires_at: new Date(clock.now().getTime() + 30 * day).toISOString(),
      workspaces: workspaces.map((workspace) => ({ ...workspace, role: null, scopes: [...scopes] })),
      second_factor: "off",
      playground: false,
    });
    const again = await session(cookieOf(answer));
    expect([again.status, await again.json()]).toEqual([200, body]);
  });

  it("works once, also when it is used many times at once", async () => {
    const token = await link();
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn({ link: token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)]);
    expect(await codeOf(await signIn({ link: token }))).toEqual([401, "signin_link_refused"]);
  });

  it("works for a day", async () => {
    const [early, late] = [await link(), await link()];
    clock.advance(day - 1);
    expect((await signIn({ link: early })).status).toBe(200);
    clock.advance(1);
    expect(await codeOf(await signIn({ link: late }))).toEqual([401, "signin_link_refused"]);
  });

  it("is not made for an unknown or disabled operator and does not outlive being disabled", async () => {
    await addOperator(database.sql, { login: "Oleg", name: "Олег", clock });
    const made = await createSignInLink(database.sql, " OLEG ", { clock });
    await disable("oleg");
    expect((await signIn({ link: made })).status).toBe(401);
    expect(await createSignInLink(database.sql, "oleg", { clock })).toBeUndefined();
    expect(await createSignInLink(database.sql, "nobody", { clock })).toBeUndefined();
  });
});

describe("trying sign-in links", () => {
  const guess = (n: number, headers = {}) => signIn({ link: String(n).padStart(43, "x") }, headers);
  const guesser = { "x-forwarded-for": "2001:db8::1" };

  it("ends for an address after so many that do not work, and not for others", async () => {
    expect(await codeOf(await guess(0, guesser))).toEqual([401, "signin_link_refused"]);
    await pretendAttempts(attemptLimits.link - 2);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => guess(n, { "x-forwarded-for": `2001:db8::${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 429, 429]);
    const real = await link();
    const late = await signIn({ link: real }, guesser);
    expect(Number(late.headers.get("retry-after"))).toBe(15 * 60);
    expect(await codeOf(late)).toEqual([429, "signin_throttled"]);
    expect((await signIn({ link: real })).status).toBe(200);
    clock.advance(15 * 60 * 1000);
    expect((await signIn({ link: await link() }, guesser)).status).toBe(200);
  });

  it("costs no attempt when the link works, and no query when it cannot be one", async () => {
    expect((await signIn({ link: await link() })).status).toBe(200);
    expect(await codeOf(await signIn({ link: "not-a-link" }))).toEqual([401, "signin_link_refused"]);
    expect(await database.sql`select from molva.signin_attempts where attempts > 0`).toHaveLength(0);
  });
});

describe("a flood of passwords", () => {
  it("is worked off a few at a time, and the rest is told to come later, whoever it comes from", async () => {
    const small = await startTestHttpServer({
      ...{ sql: database.sql, clock },
      settings: { trustProxy: 1, limits: { passwordWork: { atOnce: 1, waiting: 1 } } },
    });
    const statuses: number[] = [];
    // No attempt is counted while the table is locked, so the first two wait there.
    const asked = await database.sql.begin(async (tx) => {
      await tx`lock table molva.signin_attempts`;
      const answers = [1, 2, 3, 4, 5, 6].map(async (n) => {
        const answer = await small.call("/api/v1/session", {
          body: { login: `user${n}`, password: "wrong" },
          headers: { "x-forwarded-for": `198.51.100.${n}` },
        });
        statuses.push(answer.status);
        return answer;
      });
      await expect.poll(() => statuses).toEqual([503, 503, 503, 503]);
      return { answers };
    });
    const answers = await Promise.all(asked.answers);
    expect(statuses.slice(4)).toEqual([401, 401]);
    const [refused] = answers.filter(({ status }) => status === 503);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused && (await codeOf(refused))).toEqual([503, "signin_busy"]);
    // Requests refused because the queue was full have used no attempt of any login.
    expect(await database.sql`select from molva.signin_attempts`).toHaveLength(4);
    expect((await small.call("/api/v1/session", { body: { link: await link() } })).status).toBe(200);
    const again = { login: "user6", password: "wrong" };
    expect((await small.call("/api/v1/session", { body: again })).status).toBe(401);
    await small.stop();
  });
});

describe("a password", () => {
  beforeEach(async () => {
    await setPassword(database.sql, { login: "admin", password });
  });

  it("opens a session, whatever the case of the login", async () => {
    const answer = await signIn({ login: "Admin", password });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ operator: { has_password: true } });
  });

  it("gets the same answer when it is wrong, when there is no such login and when the operator is disabled", async () => {
    await addOperator(database.sql, { login: "ivan", name: "Иван", clock });
    await setPassword(database.sql, { login: "ivan", password });
    await disable("ivan");
    const tries = [
      { login: "admin", password: "wrong" },
      { login: "nobody", password },
      { login: "ivan", password },
    ];
    const bodies = await Promise.all(tries.map(async (body) => (await signIn(body)).text()));
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain("signin_refused");
  });

  it("may be tried so often per login, also at once, and the wait ends", async () => {
    const wrong = (n: number) =>
      signIn({ login: "admin", password: "wrong" }, { "x-forwarded-for": `203.0.113.${n}` });
    await wrong(0);
    await pretendAttempts(attemptLimits.login - 2);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(wrong));
    expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 429, 429, 429]);

    const right = await signIn({ login: "admin", password });
    expect(Number(right.headers.get("retry-after"))).toBe(15 * 60);
    expect(await codeOf(right)).toEqual([429, "signin_throttled"]);
    expect((await signIn({ link: await link() })).status).toBe(200);
    clock.advance(15 * 60 * 1000);
    expect((await signIn({ login: "admin", password })).status).toBe(200);
  });

  it("may be tried so often per address, without using up the logins behind it", async () => {
    const from = { "x-forwarded-for": "2001:db8::1" };
    await signIn({ login: "somebody", password: "wrong" }, from);
    await pretendAttempts(attemptLimits.address);
    const neighbour = { "x-forwarded-for": "2001:db8::ffff" };
    expect((await signIn({ login: "admin", password }, neighbour)).status).toBe(429);
    const elsewhere = { "x-forwarded-for": "198.51.100.7" };
    expect((await signIn({ login: "admin", password }, elsewhere)).status).toBe(200);
  });

  it("is forgiven its wrong tries when it is right", async () => {
    const wrong = () => signIn({ login: "admin", password: "wrong" });
    await wrong();
    await pretendAttempts(attemptLimits.login - 1);
    expect((await signIn({ login: "admin", password })).status).toBe(200);
    expect((await wrong()).status).toBe(401);
    expect((await signIn({ login: "admin", password })).status).toBe(200);
  });
});

describe("signing in", () => {
  it.each([
    [{}, ["/link"]],
    [{ login: "admin" }, ["/password"]],
    [{ login: 5, password: true }, ["/login", "/password"]],
    [{ login: "ad\u0000min", password: "x" }, ["/login"]],
    [{ link: "x", login: "admin" }, ["/login"]],
  ])("refuses %j and says what is wrong", async (body, pointers) => {
    const answer = await signIn(body);
    expect(answer.status).toBe(400);
    const { errors } = z
      .object({ errors: z.array(z.object({ pointer: z.string() })) })
      .parse(await answer.json());
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it("is not done for another site's page", async () => {
    const answer = await signIn({ link: await link() }, { origin: "https://evil.example" });
    expect(await codeOf(answer)).toEqual([403, "cross_origin"]);
  });

  it("sets a cookie that scripts cannot read and other sites do not send", async () => {
    const [cookie] = (await signIn({ link: await link() })).headers.getSetCookie();
    expect(cookie).toMatch(/^molva_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const secure = await startTestHttpServer({
      sql: database.sql,
      clock,
      settings: { publicUrl: "https://molva.example" },
    });
    const answer = await secure.call("/api/v1/session", { body: { link: await link() } });
    expect(answer.headers.getSetCookie()[0]).toContain("; Secure");
    expect(answer.headers.get("strict-transport-security")).toContain("max-age");
    await secure.stop();
  });

  it("stores neither the cookie nor the link nor the password", async () => {
    const token = await link();
    const cookie = cookieOf(await signIn({ link: token })).split("=")[1] ?? "";
    await setPassword(database.sql, { login: "admin", password });
    const rows = await database.sql`
      select s::text from molva.sessions s
      union all select l::text from molva.signin_links l
      union all select o::text from molva.operators o
    `;
    const stored = JSON.stringify(rows);
    for (const secret of [token, cookie, password]) expect(stored).not.toContain(secret);
  });
});

describe("a session", () => {
  it("lasts 30 days from its last use", async () => {
    const cookie = cookieOf(await signIn({ link: await link() }));
    clock.advance(29 * day);
    const used = await session(cookie);
    expect(used.status).toBe(200);
    expect(used.headers.getSetCookie()[0]).toContain("Max-Age=2592000");
    clock.advance(30 * day - 1);
    expect((await session(cookie)).status).toBe(200);
    clock.advance(30 * day);
    expect(await codeOf(await session(cookie))).toEqual([401, "not_signed_in"]);
  });

  it("ends 90 days after signing in, however often it is used", async () => {
    const cookie = cookieOf(await signIn({ link: await link() }));
    for (const days of [29, 29, 29]) {
      clock.advance(days * day);
      expect((await session(cookie)).status).toBe(200);
    }
    clock.advance(3 * day - 1);
    expect((await session(cookie)).headers.getSetCookie()[0]).toContain("Max-Age=0");
    clock.advance(1);
    expect(await codeOf(await session(cookie))).toEqual([401, "not_signed_in"]);
  });

  it("from before there was such a limit ends then too", async () => {
    const cookie = cookieOf(await signIn({ link: await link() }));
    await database.sql`update molva.sessions set expires_at = expires_at + interval '200 days'`;
    clock.advance(90 * day);
    expect((await session(cookie)).status).toBe(401);
    await database.sql`truncate molva.sessions`;
  });

  it("is noted as used at most once a minute", async () => {
    const cookie = cookieOf(await signIn({ link: await link() }));
    clock.advance(59_000);
    expect((await session(cookie)).headers.getSetCookie()).toEqual([]);
    clock.advance(1_000);
    expect((await session(cookie)).headers.getSetCookie()).toHaveLength(1);
  });

  it("ends when the operator signs out, and only that one", async () => {
    const [one, other] = [await server.signedIn(), await server.signedIn()];
    const out = await server.call("/api/v1/session", { method: "DELETE", headers: one });
    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie()[0]).toMatch(/^molva_session=; .*Expires=Thu, 01 Jan 1970/);
    expect((await session(one.cookie)).status).toBe(401);
    expect((await session(other.cookie)).status).toBe(200);
  });

  it("ends when the operator is disabled", async () => {
    const { id, headers } = await server.signedInAs({});
    await setOperator(database.sql, id, { disabled: true });
    expect((await session(headers.cookie)).status).toBe(401);
    await setOperator(database.sql, id, { disabled: false });
    expect((await session(headers.cookie)).status).toBe(401);
  });

  it("is a person's: a token has none", async () => {
    const headers = await server.bearer([...scopes]);
    expect(await codeOf(await server.call("/api/v1/session", { headers }))).toEqual([403, "operators_only"]);
    const change = { method: "PUT", headers, body: { password } };
    expect(await codeOf(await server.call("/api/v1/session/password", change))).toEqual([
      403,
      "operators_only",
    ]);
  });
});

describe("changing the own password", () => {
  const change = (headers: Record<string, string>, body: unknown) =>
    server.call("/api/v1/session/password", { method: "PUT", headers, body });

  it("sets the first one only within minutes after signing in, so that a stolen cookie alone makes none", async () => {
    const stolen = await server.signedIn();
    clock.advance(10 * 60_000);
    expect(await codeOf(await change(stolen, { password }))).toEqual([403, "signin_too_old"]);
    expect(await codeOf(await signIn({ login: "admin", password }))).toEqual([401, "signin_refused"]);
    const [last] = await database.sql`
      select action, result from audit.entries where action like 'password.%' order by seq desc limit 1`;
    expect(last).toEqual({ action: "password.refused", result: "refused" });
    const again = await server.signedIn();
    clock.advance(10 * 60_000 - 1);
    expect((await change(again, { password })).status).toBe(204);
  });

  it("sets the first one without asking for another, and ends other sessions and unused links", async () => {
    const [here, elsewhere] = [await server.signedIn(), await server.signedIn()];
    const unused = await link();
    expect((await change(here, { password })).status).toBe(204);
    expect((await session(here.cookie)).status).toBe(200);
    expect((await session(elsewhere.cookie)).status).toBe(401);
    expect((await signIn({ link: unused })).status).toBe(401);
    expect((await signIn({ login: "admin", password })).status).toBe(200);
  });

  it("asks for the current one afterwards, and not without end", async () => {
    await setPassword(database.sql, { login: "admin", password });
    const here = await server.signedIn();
    const missing = await change(here, { password: "another-long-phrase" });
    expect(missing.status).toBe(422);
    expect(await missing.json()).toMatchObject({
      code: "password_refused",
      errors: [{ pointer: "/current" }],
    });
    expect((await change(here, { current: password, password: "another-long-phrase" })).status).toBe(204);

    await change(here, { current: "wrong", password });
    await pretendAttempts(attemptLimits.password);
    expect(await codeOf(await change(here, { current: "another-long-phrase", password }))).toEqual([
      429,
      "signin_throttled",
    ]);
  });

  it.each(["short", "aaaaaaaaaaaa", "qwertyuiop", "the-admin-of-it", "x".repeat(201)])(
    "refuses one that is easy to guess: %s",
    async (weak) => {
      const answer = await change(await server.signedIn(), { password: weak });
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({
        code: "password_refused",
        errors: [{ pointer: "/password" }],
      });
    },
  );
});
