import { decodeQR } from "qr/decode.js";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../../tests/support/database.ts";
import { manualClock } from "../../../kernel/clock/index.ts";
import { addOperator, createSignInLink, resetSecondFactor, setPassword } from "../../index.ts";
import { authenticator } from "../../testing/authenticator.ts";
import { cookieOf, startTestHttpServer, type TestHttpServer } from "../../testing/http-server.ts";
import { forgetExpired } from "../forget-expired.ts";
import { attemptLimits } from "../throttle.ts";
import { challengeLifeMs } from "./challenges.ts";

const password = "verbal-marmalade-42";
const clock = manualClock();
let database: TestDatabase;
let server: TestHttpServer;
let strict: TestHttpServer;
let people = 0;

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  server = await startTestHttpServer({ sql, clock, settings: { trustProxy: 1 } });
  strict = await startTestHttpServer({ sql, clock, settings: { requireSecondFactor: true } });
});
beforeEach(async () => {
  await database.sql`truncate molva.signin_attempts`;
});
afterAll(async () => {
  await server?.stop();
  await strict?.stop();
  await database?.drop();
});

type Headers = Record<string, string>;
const signIn = (body: object, headers: Headers = {}, at = server) =>
  at.call("/api/v1/session", { body, headers });
const factor = (path: string, headers: Headers, body?: object, at = server) =>
  at.call(`/api/v1/session/second-factor${path}`, { headers, ...(body && { body }) });
const link = async (login: string) => (await createSignInLink(database.sql, login, { clock })) ?? "";
const pretendAttempts = (attempts: number) =>
  database.sql`update molva.signin_attempts set attempts = ${attempts}`;

/** A new operator, signed in. Passwords are slow on purpose, so only those who need one have one. */
async function aPerson({ hasPassword = false, at = server } = {}) {
  people += 1;
  const login = `person${people}@example.org`;
  const added = await addOperator(database.sql, { login, name: "Анна", clock });
  if (added.kind !== "added") throw new Error(added.reason);
  if (hasPassword) await setPassword(database.sql, { login, password });
  const answer = await signIn({ link: await link(login) }, {}, at);
  const headers = { cookie: cookieOf(answer), origin: at.url() };
  return { id: added.id, login, headers, session: await answer.json() };
}

const begunShape = z.object({ secret: z.string(), uri: z.string(), qr: z.string() });
const codesShape = z.object({ recovery_codes: z.array(z.string()) });
const challengeShape = z.object({ second_step: z.object({ challenge: z.string(), expires_at: z.string() }) });

/** A person with a second factor, whose last code is used up. */
async function anEnrolled(given: { hasPassword?: boolean } = {}) {
  const person = await aPerson(given);
  const own = given.hasPassword ? { password } : {};
  const begun = begunShape.parse(await (await factor("", person.headers, own)).json());
  const phone = authenticator(begun.secret, clock);
  const confirmed = await factor("/confirm", person.headers, { code: phone.code() });
  const { recovery_codes: recoveryCodes } = codesShape.parse(await confirmed.json());
  return { ...person, phone, recoveryCodes, own };
}

async function challengeOf(login: string): Promise<string> {
  const answer = await signIn({ link: await link(login) });
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([202, []]);
  return challengeShape.parse(await answer.json()).second_step.challenge;
}

async function codeOf(answer: Response) {
  return [answer.status, z.object({ code: z.string() }).parse(await answer.json()).code];
}

describe("setting up a second factor", () => {
  it("shows a secret as text, as an otpauth address and as a QR code of it", async () => {
    const { headers, login } = await aPerson();
    const answer = await factor("", headers, {});
    const { secret, uri, qr } = begunShape.parse(await answer.json());
    expect(answer.status).toBe(201);
    const url = new URL(uri);
    expect(decodeURIComponent(url.pathname)).toContain(login);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ secret, algorithm: "SHA1", digits: "6", period: "30", issuer: "Molva (127.0.0.1)" },
    });
    const { data, info } = await sharp(Buffer.from(qr), { density: 600 })
      .resize(600)
      .flatten({ background: "white" })
      .extend({ top: 40, bottom: 40, left: 40, right: 40, background: "white" })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(decodeQR({ ...info, data: new Uint8Array(data) })).toBe(uri);
  });

  it("needs a sign-in of the last minutes of who has no password, so that a stolen cookie alone sets none up", async () => {
    const { headers } = await aPerson();
    clock.advance(10 * 60_000);
    expect(await codeOf(await factor("", headers, {}))).toEqual([403, "signin_too_old"]);
    const enrolled = await anEnrolled();
    clock.advance(10 * 60_000);
    for (const path of ["/remove", "/recovery-codes"])
      expect(await codeOf(await factor(path, enrolled.headers, { code: enrolled.phone.code() }))).toEqual([
        403,
        "signin_too_old",
      ]);
  });

  it("makes a first password cost a code, too", async () => {
    const { headers, phone } = await anEnrolled();
    const set = (body: object) =>
      server.call("/api/v1/session/password", { method: "PUT", headers, body: { password, ...body } });
    for (const proof of [{}, { code: phone.code() }]) {
      const refused = await set(proof);
      expect(refused.status).toBe(422);
      expect(await refused.json()).toMatchObject({
        code: "password_refused",
        errors: [{ pointer: "/code" }],
      });
    }
    clock.advance(30_000);
    expect((await set({ code: phone.code() })).status).toBe(204);
    const other = await anEnrolled();
    expect(
      (
        await server.call("/api/v1/session/password", {
          ...{ method: "PUT", headers: other.headers },
          body: { password, recovery_code: other.recoveryCodes[0] },
        })
      ).status,
    ).toBe(204);
  });

  it("asks for nothing before it is confirmed with a code of it, and then gives ten recovery codes", async () => {
    const { headers, login } = await aPerson();
    const { secret } = begunShape.parse(await (await factor("", headers, {})).json());
    expect((await signIn({ link: await link(login) })).status).toBe(200);
    const phone = authenticator(secret, clock);
    const wrong = await factor("/confirm", headers, { code: phone.code(5) });
    expect(await codeOf(wrong)).toEqual([422, "second_factor_refused"]);

    const { recovery_codes: codes } = codesShape.parse(
      await (await factor("/confirm", headers, { code: phone.code() })).json(),
    );
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(await (await factor("", headers)).json()).toEqual({
      ...{ enrolled_at: clock.now().toISOString(), recovery_codes_left: 10, required: false },
    });
    expect((await signIn({ link: await link(login) })).status).toBe(202);
  });

  it("keeps neither secret nor recovery codes readable in the database", async () => {
    const { id, recoveryCodes, phone } = await anEnrolled();
    const rows = await database.sql`
      select f.secret, c.code_sha256 from molva.second_factors f join molva.recovery_codes c using (operator_id)
      where f.operator_id = ${id}
    `;
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(row.secret).toMatch(/^gAAAA/);
    const stored = JSON.stringify(rows);
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll("-", ""));
    expect(stored).not.toContain(phone.code());
  });

  it("ends the other sessions, which were opened without it", async () => {
    const { headers, login } = await aPerson();
    const other = cookieOf(await signIn({ link: await link(login) }));
    const { secret } = begunShape.parse(await (await factor("", headers, {})).json());
    await factor("/confirm", headers, { code: authenticator(secret, clock).code() });
    expect((await server.call("/api/v1/session", { headers: { cookie: other } })).status).toBe(401);
    const own = await server.call("/api/v1/session", { headers });
    expect(await own.json()).toMatchObject({ second_factor: "on" });
  });

  it("needs the password of who has one: a stolen session is not enough", async () => {
    const { headers } = await aPerson({ hasPassword: true });
    for (const body of [{}, { password: "wrong" }])
      expect(await codeOf(await factor("", headers, body))).toEqual([422, "second_factor_refused"]);
    expect((await factor("", headers, { password })).status).toBe(201);
  });

  it("is refused while there is one, and nothing is confirmed that was not begun", async () => {
    const enrolled = await anEnrolled();
    expect(await codeOf(await factor("", enrolled.headers, {}))).toEqual([409, "second_factor_on"]);
    const { headers } = await aPerson();
    const early = await factor("/confirm", headers, { code: "123456" });
    expect(await codeOf(early)).toEqual([409, "second_factor_not_begun"]);
    const off = await factor("/remove", headers, { code: "123456" });
    expect(await codeOf(off)).toEqual([409, "second_factor_off"]);
  });

  it("lets nobody guess the code that confirms it", async () => {
    const { headers } = await aPerson();
    const { secret } = begunShape.parse(await (await factor("", headers, {})).json());
    const phone = authenticator(secret, clock);
    await factor("/confirm", headers, { code: phone.code(9) });
    await pretendAttempts(attemptLimits.second_factor);
    const late = await factor("/confirm", headers, { code: phone.code() });
    expect(await codeOf(late)).toEqual([429, "signin_throttled"]);
  });

  it("is forgotten after a day if nobody confirms it", async () => {
    const { headers, id } = await aPerson();
    await factor("", headers, {});
    clock.advance(24 * 60 * 60 * 1000);
    await forgetExpired(database.sql, { clock });
    expect(await database.sql`select from molva.second_factors where operator_id = ${id}`).toHaveLength(0);
  });
});

describe("signing in with a second factor", () => {
  it("takes two steps after a password, too, and the first gives no session", async () => {
    const { login, phone } = await anEnrolled({ hasPassword: true });
    const first = await signIn({ login, password });
    expect([first.status, first.headers.getSetCookie()]).toEqual([202, []]);
    const { second_step } = challengeShape.parse(await first.json());
    expect(second_step.expires_at).toBe(new Date(clock.now().getTime() + challengeLifeMs).toISOString());
    for (const headers of [
      { cookie: `molva_session=${second_step.challenge}` },
      { authorization: `Bearer ${second_step.challenge}` },
    ])
      expect((await server.call("/api/v1/session", { headers })).status).toBe(401);

    const second = await signIn({ challenge: second_step.challenge, code: phone.fresh() });
    expect(second.status).toBe(200);
    expect(await second.json()).toMatchObject({ operator: { login }, second_factor: "on" });
    expect((await server.call("/api/v1/session", { headers: { cookie: cookieOf(second) } })).status).toBe(
      200,
    );
  });

  it("takes the code of the step before and after, and of no other", async () => {
    for (const [off, status] of [
      [-2, 401],
      [-1, 200],
      [1, 200],
      [2, 401],
    ] as const) {
      const { login, phone } = await anEnrolled();
      clock.advance(120_000);
      const answer = await signIn({ challenge: await challengeOf(login), code: phone.code(off) });
      expect([off, answer.status]).toEqual([off, status]);
    }
  });

  it("takes a code once: not again, not the one that confirmed it, not an older one, not by two at once", async () => {
    const { login, phone } = await anEnrolled();
    const confirming = phone.code();
    const used = await signIn({ challenge: await challengeOf(login), code: confirming });
    expect(await codeOf(used)).toEqual([401, "second_step_refused"]);
    const code = phone.fresh();
    expect((await signIn({ challenge: await challengeOf(login), code })).status).toBe(200);
    for (const old of [code, phone.code(-1)])
      expect((await signIn({ challenge: await challengeOf(login), code: old })).status).toBe(401);

    const next = phone.fresh();
    const challenges = [await challengeOf(login), await challengeOf(login), await challengeOf(login)];
    const answers = await Promise.all(challenges.map((challenge) => signIn({ challenge, code: next })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it("takes a recovery code in its place, once, however it was typed", async () => {
    const { login, recoveryCodes, headers } = await anEnrolled();
    const [first = "", second = ""] = recoveryCodes;
    const typed = ` ${first.toUpperCase().replaceAll("-", " ")} `;
    expect((await signIn({ challenge: await challengeOf(login), recovery_code: typed })).status).toBe(200);
    const again = await signIn({ challenge: await challengeOf(login), recovery_code: first });
    expect(await codeOf(again)).toEqual([401, "second_step_refused"]);
    const challenges = [await challengeOf(login), await challengeOf(login)];
    const answers = await Promise.all(
      challenges.map((challenge) => signIn({ challenge, recovery_code: second })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await (await factor("", headers)).json()).toMatchObject({ recovery_codes_left: 8 });
  });

  it("ends a challenge with its first session, also when right codes come at once", async () => {
    const { login, phone, recoveryCodes } = await anEnrolled();
    const challenge = await challengeOf(login);
    const answers = await Promise.all([
      signIn({ challenge, code: phone.fresh() }),
      signIn({ challenge, recovery_code: recoveryCodes[0] }),
      signIn({ challenge, recovery_code: recoveryCodes[1] }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const late = await signIn({ challenge, code: phone.fresh() });
    expect(await codeOf(late)).toEqual([401, "second_step_expired"]);
  });

  it("does not take another person's codes for a challenge", async () => {
    const [anna, boris] = [await anEnrolled(), await anEnrolled()];
    const challenge = await challengeOf(anna.login);
    clock.advance(30_000);
    for (const proof of [{ code: boris.phone.code() }, { recovery_code: boris.recoveryCodes[0] }])
      expect(await codeOf(await signIn({ challenge, ...proof }))).toEqual([401, "second_step_refused"]);
    const own = await signIn({ challenge, code: anna.phone.code() });
    expect(await own.json()).toMatchObject({ operator: { login: anna.login } });
    // The recovery code that was tried in vain is still good for its owner.
    const tried = { challenge: await challengeOf(boris.login), recovery_code: boris.recoveryCodes[0] };
    expect((await signIn(tried)).status).toBe(200);
  });

  it("waits five minutes for the second step", async () => {
    const { login, phone } = await anEnrolled();
    const [early, late] = [await challengeOf(login), await challengeOf(login)];
    clock.advance(challengeLifeMs - 1);
    expect((await signIn({ challenge: early, code: phone.code() })).status).toBe(200);
    clock.advance(1);
    const answer = await signIn({ challenge: late, code: phone.fresh() });
    expect(await codeOf(answer)).toEqual([401, "second_step_expired"]);
    const invented = await signIn({ challenge: "x".repeat(43), code: phone.code() });
    expect(await codeOf(invented)).toEqual([401, "second_step_expired"]);
  });

  it("is over when the operator is disabled or the password changes in between", async () => {
    const { login, phone } = await anEnrolled();
    const challenge = await challengeOf(login);
    await database.sql`update molva.operators set disabled = true where login = ${login}`;
    expect((await signIn({ challenge, code: phone.fresh() })).status).toBe(401);
    await database.sql`update molva.operators set disabled = false where login = ${login}`;
    await setPassword(database.sql, { login, password });
    const answer = await signIn({ challenge, code: phone.fresh() });
    expect(await codeOf(answer)).toEqual([401, "second_step_expired"]);
  });

  it("lets so many codes be tried per operator, whatever the addresses and challenges, and the wait ends", async () => {
    const { login, phone, recoveryCodes } = await anEnrolled();
    const guess = async (n: number) =>
      signIn(
        { challenge: await challengeOf(login), code: phone.code(50 + n) },
        { "x-forwarded-for": `203.0.113.${n}` },
      );
    await guess(0);
    await pretendAttempts(attemptLimits.second_factor - 2);
    const answers = [await guess(1), await guess(2), await guess(3)];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
    const challenge = await challengeOf(login);
    for (const right of [{ code: phone.fresh() }, { recovery_code: recoveryCodes[0] }]) {
      const answer = await signIn({ challenge, ...right });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await codeOf(answer)).toEqual([429, "signin_throttled"]);
    }
    clock.advance(15 * 60 * 1000);
    // The recovery code was not used up by the refusal.
    const again = { challenge: await challengeOf(login), recovery_code: recoveryCodes[0] };
    expect((await signIn(again)).status).toBe(200);
  });

  it("lets so many challenges be tried per address", async () => {
    const guess = (n: number) => signIn({ challenge: String(n).padStart(43, "x"), code: "123456" });
    await guess(0);
    await pretendAttempts(attemptLimits.address);
    expect(await codeOf(await guess(1))).toEqual([429, "signin_throttled"]);
  });

  it("takes no second step from a page of another site", async () => {
    const { login, phone } = await anEnrolled();
    const body = { challenge: await challengeOf(login), code: phone.fresh() };
    const foreign = await signIn(body, { origin: "https://evil.example" });
    expect(await codeOf(foreign)).toEqual([403, "cross_origin"]);
    expect((await signIn(body)).status).toBe(200);
  });
});

describe("a second factor", () => {
  it("is switched off with password and code, not with one of them or a used code", async () => {
    const { headers, phone, login } = await anEnrolled({ hasPassword: true });
    const used = phone.code();
    clock.advance(30_000);
    for (const body of [
      { code: phone.code() },
      { password: "wrong", code: phone.code() },
      { password, code: used },
      { password, code: phone.code(7) },
    ])
      expect(await codeOf(await factor("/remove", headers, body))).toEqual([422, "second_factor_refused"]);
    expect((await factor("/remove", headers, { password, code: phone.code() })).status).toBe(204);
    expect((await signIn({ link: await link(login) })).status).toBe(200);
    expect(await (await factor("", headers)).json()).toMatchObject({ enrolled_at: null });
  });

  it("is switched off with a recovery code by who lost the phone, with all its codes", async () => {
    const { headers, id, recoveryCodes } = await anEnrolled();
    expect((await factor("/remove", headers, { recovery_code: recoveryCodes[3] })).status).toBe(204);
    expect(await database.sql`select from molva.recovery_codes where operator_id = ${id}`).toHaveLength(0);
  });

  it("gets new recovery codes for a code, and the old ones stop working", async () => {
    const { headers, phone, login, recoveryCodes } = await anEnrolled();
    const answer = await factor("/recovery-codes", headers, { code: phone.fresh() });
    const { recovery_codes: fresh } = codesShape.parse(await answer.json());
    expect(fresh).toHaveLength(10);
    const old = { challenge: await challengeOf(login), recovery_code: recoveryCodes[0] };
    expect((await signIn(old)).status).toBe(401);
    const good = { challenge: await challengeOf(login), recovery_code: fresh[0] };
    expect((await signIn(good)).status).toBe(200);
  });

  it("is reset at the command line: sessions and open challenges end, and the person starts anew", async () => {
    const { headers, login, phone } = await anEnrolled();
    const challenge = await challengeOf(login);
    const reset = () => resetSecondFactor(database.sql, login.toUpperCase(), { clock });
    expect([await reset(), await reset()]).toEqual(["reset", "had_none"]);
    expect(await resetSecondFactor(database.sql, "nobody", { clock })).toBe("unknown_operator");
    expect((await server.call("/api/v1/session", { headers })).status).toBe(401);
    expect((await signIn({ challenge, code: phone.fresh() })).status).toBe(401);
    const answer = await signIn({ link: await link(login) });
    expect(await answer.json()).toMatchObject({ second_factor: "off" });
  });

  it("is in the audit from set-up to sign-in and reset, with the operator's id and no code", async () => {
    const { id, login, phone, recoveryCodes } = await anEnrolled();
    const [code = ""] = recoveryCodes;
    await signIn({ challenge: await challengeOf(login), code: phone.code() });
    await signIn({ challenge: await challengeOf(login), recovery_code: code });
    await resetSecondFactor(database.sql, login, { clock });
    const entries = await database.sql<{ action: string; result: string; meta: unknown }[]>`
      select action, result, meta from audit.entries e
      where (e.actor_id = ${id} or e.subject_id = ${id}) and action not like 'signin_link.%' order by seq`;
    expect(entries.map(({ action, result }) => `${action} ${result}`)).toEqual([
      "signin.succeeded ok",
      "second_factor.enrolled ok",
      "second_factor.refused refused",
      "recovery_code.used ok",
      "signin.succeeded ok",
      "second_factor.reset ok",
    ]);
    expect(JSON.stringify(entries)).not.toContain(code);
  });

  it("belongs to people: tokens have none", async () => {
    const headers = await server.bearer(["read", "admin"]);
    expect(await codeOf(await factor("", headers))).toEqual([403, "operators_only"]);
  });
});

describe("where everybody must have a second factor", () => {
  it("an operator without one can do nothing but set it up or leave", async () => {
    const { headers, session } = await aPerson({ at: strict });
    expect(session).toMatchObject({ second_factor: "required" });
    const password = { body: { password: "long-enough-phrase" }, method: "PUT", headers };
    const refused = await strict.call("/api/v1/session/password", password);
    expect(await codeOf(refused)).toEqual([403, "second_factor_required"]);
    expect((await strict.call("/api/v1/session", { headers })).status).toBe(200);

    const { secret } = begunShape.parse(await (await factor("", headers, {}, strict)).json());
    const phone = authenticator(secret, clock);
    expect((await factor("/confirm", headers, { code: phone.code() }, strict)).status).toBe(200);
    clock.advance(30_000);
    const withCode = { ...password, body: { ...password.body, code: phone.code() } };
    expect((await strict.call("/api/v1/session/password", withCode)).status).toBe(204);
  });

  it("a session that is older than the rule obeys it, and tokens go on", async () => {
    const { cookie } = (await aPerson()).headers;
    const headers = { cookie, origin: strict.url() };
    const answer = await strict.call("/metrics", {
      headers: { ...headers, "x-forwarded-for": "203.0.113.1" },
    });
    expect(await codeOf(answer)).toEqual([403, "second_factor_required"]);
    const token = await strict.bearer(["metrics"]);
    const machine = { ...token, "x-forwarded-for": "203.0.113.1" };
    expect((await strict.call("/metrics", { headers: machine })).status).toBe(200);
  });
});
