import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AccountTwin, accountTwin } from "../../../tests/support/account-twin.ts";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import {
  gramjsString,
  mtcuteString,
  pyrogramString,
  telethonString,
} from "../../../tests/support/session-strings.ts";
import { testClock } from "../../../twins/shared/testing.ts";
import { createApiToken, type Scope, scopes } from "../../http/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { newRecords } from "../testing/records.ts";
import { forgetOldLogins } from "../upkeep.ts";
import { noGovernor } from "../work/governor-contract.ts";
import type { LoginDeps } from "./login-deps.ts";
import { loginRoutes } from "./login-routes.ts";

type Person = "anna" | "boris" | "admin";
const noon = Date.parse("2026-11-16T09:00:00Z");

let database: TestDatabase;
let twin: AccountTwin;
let workspaceId: string;
let deps: LoginDeps;
let servers: TestHttpServer[];
let tokens: Record<Person, string>;
const ticking = testClock(noon);
const clock = { now: () => new Date(ticking.now()) };

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  await sql`select workspaces.ensure_event_partitions(7, ${clock.now()})`;
  ({ workspaceId } = await newRecords(sql));
  twin = await accountTwin(sql, { clock: ticking });
  const planning = { sql, clock, log: silentLog, governor: noGovernor };
  deps = { sql, clock, planning, vault: twin.vault, driver: twin.driver };
  // Two processes: every other step is taken by the other one.
  servers = await Promise.all(
    [deps, { ...deps, driver: twin.anotherDriver() }].map((each) =>
      startTestHttpServer({ sql, clock, modules: [loginRoutes(each)] }),
    ),
  );
  const tokenOf = async (name: string, given: readonly Scope[]) =>
    (
      await createApiToken(sql, {
        ...{ name, scopes: given, workspaceId, createdBy: null, expiresAt: null, clock },
      })
    ).token;
  tokens = {
    anna: await tokenOf("anna", ["read", "write"]),
    boris: await tokenOf("boris", ["read", "write"]),
    admin: await tokenOf("admin", scopes),
  };
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await twin.close();
  await database.drop();
});

let steps = 0;
async function call(method: string, path: string, body?: unknown, as: Person = "anna") {
  steps += 1;
  const server = servers[steps % servers.length];
  if (!server) throw new Error("no server runs");
  const response = await server.call(`/api/v1/accounts${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens[as]}` },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === "" ? null : JSON.parse(text),
    retryAfter: response.headers.get("retry-after"),
  };
}

/** As everybody sees it; the whole of it takes the scope `people`. */
const masked = (phone: string) => `+7…${phone.slice(-4)}`;

const codeOf = async (phone: string) =>
  (await twin.twins.control<{ codes: string[] }>("GET", `/telegram-account/accounts/${phone}`)).codes[0] ??
  "";
const accountOf = async (id: string) =>
  (await database.sql`select * from accounts.accounts where workspace_id = ${workspaceId} and id = ${id}`)[0];

async function begin(person: Record<string, unknown> = {}, as: Person = "anna") {
  const phone = await twin.aPerson(person);
  const started = await call("POST", "/login", { phone }, as);
  expect(started).toMatchObject({
    status: 200,
    body: { step: "code", sent_to: "app", phone: masked(phone) },
  });
  return { phone, path: `/login/${started.body.id}` };
}

async function connect(person: Record<string, unknown> = {}, as: Person = "anna") {
  const { phone, path } = await begin(person, as);
  const done = await call("POST", `${path}/code`, { code: await codeOf(phone) }, as);
  expect(done).toMatchObject({ status: 200, body: { step: "done" } });
  return { phone, id: String(done.body.account_id) };
}

describe("by phone", () => {
  // covers accounts: 15. Signing in
  test("a phone as people write it, its code, and the account is there and active", async () => {
    const phone = await twin.aPerson({ name: "Анна Петрова" });
    const written = phone.replace(/^(\+7)(\d{3})(\d{3})(\d{2})/, "$1 ($2) $3-$4 ");
    const started = await call("POST", "/login", { phone: written });
    expect(started.body).toMatchObject({ step: "code", phone: masked(phone), account_id: null });
    const code = (await codeOf(phone)).replace(/^(..)/, "$1-");
    const done = await call("POST", `/login/${started.body.id}/code`, { code });
    expect(done.body).toMatchObject({ step: "done", already_connected: false });
    expect(await accountOf(done.body.account_id)).toMatchObject({
      ...{ owner: "anna", phone, title: "Анна Петрова", is_active: true, last_error: null },
      device: { deviceModel: "Molva" },
    });
    const [event] = await database.sql`
      select meta from workspaces.events where workspace_id = ${workspaceId} order by ts desc, id desc limit 1`;
    expect(event?.meta).toMatchObject({ object: "account", connected: true, how: "phone" });
  });

  // covers accounts: 15. Signing in
  test("two-step verification asks for the password; a wrong one is 400 and the next try counts", async () => {
    const { phone, path } = await begin({ password: "сим-сим", hint: "пещера" });
    const asked = await call("POST", `${path}/code`, { code: await codeOf(phone) });
    expect(asked).toMatchObject({ status: 200, body: { step: "password", hint: "пещера" } });
    expect(await call("POST", `${path}/code`, { code: "12345" })).toMatchObject({
      status: 409,
      body: { code: "login_other_step" },
    });
    expect(await call("POST", `${path}/password`, { password: "мимо" })).toMatchObject({
      status: 400,
      body: { code: "login_password_wrong" },
    });
    expect(await call("POST", `${path}/password`, { password: "сим-сим" })).toMatchObject({
      status: 200,
      body: { step: "done" },
    });
  });

  // covers accounts: 15. Signing in
  test("a wrong code is 400 and the attempt goes on", async () => {
    const { phone, path } = await begin();
    const code = await codeOf(phone);
    const wrong = code === "00000" ? "11111" : "00000";
    expect(await call("POST", `${path}/code`, { code: wrong })).toMatchObject({
      status: 400,
      body: { code: "login_code_wrong" },
    });
    expect(await call("GET", path)).toMatchObject({ body: { step: "code" } });
    expect(await call("POST", `${path}/code`, { code })).toMatchObject({ body: { step: "done" } });
  });

  test("a code that Telegram no longer takes is replaced by another one, by another way", async () => {
    const { phone, path } = await begin({ code_types: ["app", "sms"] });
    ticking.advance(6 * 60_000);
    expect(await call("POST", `${path}/code`, { code: await codeOf(phone) })).toMatchObject({
      status: 400,
      body: { code: "login_code_expired" },
    });
    expect(await call("POST", `${path}/resend`)).toMatchObject({ status: 200, body: { sent_to: "sms" } });
    expect(await call("POST", `${path}/resend`)).toMatchObject({
      status: 429,
      body: { code: "login_too_often" },
    });
    const done = await call("POST", `${path}/code`, { code: await codeOf(phone) });
    expect(done.body.step).toBe("done");
  });

  // covers accounts: 15. Signing in
  test("a phone of somebody else's account is refused, also when it was begun as one's own", async () => {
    const { phone } = await connect({}, "boris");
    expect(await call("POST", "/login", { phone })).toMatchObject({
      status: 403,
      body: { code: "not_yours" },
    });
    const free = await twin.aPerson();
    const anna = await call("POST", "/login", { phone: free }, "anna");
    const boris = await call("POST", "/login", { phone: free }, "boris");
    const codes = await twin.twins.control<{ codes: string[] }>("GET", `/telegram-account/accounts/${free}`);
    const enter = async (id: string, as: Person) => {
      const answers = [];
      for (const code of codes.codes) answers.push(await call("POST", `/login/${id}/code`, { code }, as));
      return answers;
    };
    expect(await enter(boris.body.id, "boris")).toContainEqual(
      expect.objectContaining({ body: expect.objectContaining({ step: "done" }) }),
    );
    expect(await enter(anna.body.id, "anna")).toContainEqual(
      expect.objectContaining({ status: 403, body: expect.objectContaining({ code: "not_yours" }) }),
    );
    const { sessions } = await twin.twins.control<{ sessions: { dead?: string }[] }>(
      "GET",
      `/telegram-account/accounts/${free}`,
    );
    expect(sessions.filter(({ dead }) => !dead)).toHaveLength(1);
  });

  test("an account that is signed in is told so, and its session stays", async () => {
    const { phone, id } = await connect();
    expect(await call("POST", "/login", { phone })).toMatchObject({
      status: 200,
      body: { step: "done", already_connected: true, account_id: id, id: null },
    });
    expect(await call("POST", "/login", { phone }, "admin")).toMatchObject({ body: { account_id: id } });
    expect(await accountOf(id)).toMatchObject({ owner: "anna" });
  });

  test("an account whose session is gone signs in again and is switched on", async () => {
    const { phone, id } = await connect();
    await twin.trouble(phone, { kind: "revoke" });
    await database.sql`
      update accounts.accounts set is_active = false, stopped_code = 'session_revoked', last_error = 'нет сессии'
      where id = ${id}`;
    const again = await call("POST", "/login", { phone });
    expect(again.body.step).toBe("code");
    const done = await call("POST", `/login/${again.body.id}/code`, { code: await codeOf(phone) });
    expect(done.body).toMatchObject({ step: "done", account_id: id });
    expect(await accountOf(id)).toMatchObject({ is_active: true, stopped_code: null, last_error: null });
  });

  test("signing in again does not lift Telegram's wait", async () => {
    const { phone, id } = await connect();
    await database.sql`
      update accounts.accounts set is_active = false, stopped_code = 'flood_wait', flood_until = ${new Date(noon + 86_400_000)}
      where id = ${id}`;
    expect(await call("POST", "/login", { phone })).toMatchObject({ body: { step: "done" } });
    expect(await accountOf(id)).toMatchObject({ is_active: false, stopped_code: "flood_wait" });
  });

  test("bad phones, banned phones and too many codes have their own answers", async () => {
    for (const phone of ["79012000001", "+7 901", "телефон", ""])
      expect(await call("POST", "/login", { phone })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: "/phone" }] },
      });
    expect(await call("POST", "/login", { phone: "+15550000000" })).toMatchObject({
      status: 400,
      body: { code: "login_phone_refused" },
    });
    const banned = await twin.aPerson();
    await twin.trouble(banned, { kind: "ban" });
    expect(await call("POST", "/login", { phone: banned })).toMatchObject({
      status: 409,
      body: { code: "login_phone_banned" },
    });
    const eager = await twin.aPerson();
    for (let count = 0; count < 5; count += 1) await call("POST", "/login", { phone: eager });
    // Telegram counts what other programs asked for, too.
    await database.sql`delete from accounts.login_code_requests`;
    expect(await call("POST", "/login", { phone: eager })).toMatchObject({
      status: 429,
      body: { code: "login_too_often" },
    });
    await twin.twins.control("POST", "/faults", {
      ...{ provider: "telegram-account", method: "sendCode", times: 1 },
      fault: { kind: "status", status: 420, description: "FLOOD_WAIT_%d", retryAfter: 90 },
    });
    expect(await call("POST", "/login", { phone: await twin.aPerson() })).toMatchObject({
      status: 429,
      retryAfter: "90",
    });
  });

  test("codes are limited by phone, wherever they are asked for, and what is refused asks nothing of Telegram", async () => {
    const phone = await twin.aPerson();
    const codes = async () =>
      (await twin.twins.control<{ codes: string[] }>("GET", `/telegram-account/accounts/${phone}`)).codes
        .length;
    const { sql } = database;
    const elsewhere = (await newRecords(sql)).workspaceId;
    // Three of them in another workspace, which has its own count but not its own phone.
    for (let count = 0; count < 3; count += 1)
      await sql`select accounts.take_login_code(${elsewhere}, ${phone}, p_now => ${clock.now()})`;
    const started = await call("POST", "/login", { phone });
    expect(started).toMatchObject({ status: 200, body: { step: "code" } });
    await call("POST", `/login/${started.body.id}/resend`);
    const asked = await codes();
    for (const refused of [
      await call("POST", `/login/${started.body.id}/resend`),
      await call("POST", "/login", { phone }),
    ]) {
      expect(refused).toMatchObject({ status: 429, body: { code: "login_codes_limited" } });
      expect(Number(refused.retryAfter)).toBeGreaterThan(3_000);
    }
    expect(await codes()).toBe(asked);
    // The attempt itself goes on.
    expect((await call("POST", `/login/${started.body.id}/code`, { code: await codeOf(phone) })).status).toBe(
      200,
    );
  });

  test("codes are limited by workspace, also when many are asked for at once, and the hour ends", async () => {
    const { sql } = database;
    const own = (await newRecords(sql)).workspaceId;
    const now = new Date("2027-03-01T12:00:00Z");
    const take = async (phone: string, at = now) => {
      const [row] = await sql`select accounts.take_login_code(${own}, ${phone}, p_now => ${at}) as wait`;
      return row?.wait;
    };
    const waits = await Promise.all(Array.from({ length: 70 }, (_, at) => take(`+7902${1_000_000 + at}`)));
    expect(waits.filter((wait) => wait === null)).toHaveLength(60);
    expect(waits.filter((wait) => wait === 3600)).toHaveLength(10);
    expect(await take("+79025555555", new Date(now.getTime() + 3_600_000))).toBeNull();
    await forgetOldLogins(sql, new Date(now.getTime() + 7_200_000));
    expect(await sql`select from accounts.login_code_requests where window_ends_at <= ${now}`).toHaveLength(
      0,
    );
  });

  test("a double tap on the code gives both the same answer", async () => {
    const { phone, path } = await begin();
    const code = await codeOf(phone);
    const both = await Promise.all([
      call("POST", `${path}/code`, { code }),
      call("POST", `${path}/code`, { code }),
    ]);
    expect(both.map(({ body }) => body.step ?? body.code)).toEqual(["done", "done"]);
    expect(await database.sql`select from accounts.accounts where phone = ${phone}`).toHaveLength(1);
  });

  test("an attempt is its owner's, ends with its time, and can be called off", async () => {
    const { path } = await begin();
    expect(await call("GET", path, undefined, "boris")).toMatchObject({ status: 403 });
    expect(await call("POST", `${path}/code`, { code: "1" }, "boris")).toMatchObject({ status: 403 });
    ticking.advance(16 * 60_000);
    expect(await call("POST", `${path}/code`, { code: "1" })).toMatchObject({
      status: 410,
      body: { code: "login_expired" },
    });
    expect(await call("GET", path)).toMatchObject({ body: { step: "cancelled" } });
    const other = await begin();
    expect(await call("DELETE", other.path)).toMatchObject({ body: { step: "cancelled" } });
    expect(await call("POST", `${other.path}/code`, { code: "1" })).toMatchObject({ status: 410 });
    const ghost = `/login/${crypto.randomUUID()}`;
    expect(await call("GET", ghost)).toMatchObject({ status: 404 });
  });

  test("Telegram out of reach is 502, and nothing is begun", async () => {
    const phone = await twin.aPerson();
    await twin.twins.control("POST", "/faults", {
      ...{ provider: "telegram-account", method: "sendCode", times: 1 },
      fault: { kind: "drop_before" },
    });
    expect(await call("POST", "/login", { phone })).toMatchObject({
      status: 502,
      body: { code: "account_refused" },
    });
    expect(await database.sql`select from accounts.login_attempts where phone = ${phone}`).toHaveLength(0);
  });
});

describe("by QR code", () => {
  test("the link is shown until it is scanned, then the password is asked for", async () => {
    const phone = await twin.aPerson({ name: "Вера", password: "сим-сим" });
    const started = await call("POST", "/login/qr", {});
    expect(started.body).toMatchObject({
      step: "qr",
      qr: { url: expect.stringMatching(/^tg:\/\/login\?token=/) },
    });
    const path = `/login/${started.body.id}`;
    const waiting = await call("GET", path);
    expect(waiting.body.step).toBe("qr");
    await twin.twins.control("POST", "/telegram-account/scan", { url: waiting.body.qr.url, phone });
    expect(await call("GET", path)).toMatchObject({ body: { step: "password", qr: null } });
    const done = await call("POST", `${path}/password`, { password: "сим-сим" });
    expect(done.body.step).toBe("done");
    expect(await accountOf(done.body.account_id)).toMatchObject({ title: "Вера", phone });
  });

  test("an account that is there already keeps its place and gets the new session", async () => {
    const { phone, id } = await connect();
    const started = await call("POST", "/login/qr", {});
    await twin.twins.control("POST", "/telegram-account/scan", { url: started.body.qr.url, phone });
    expect(await call("GET", `/login/${started.body.id}`)).toMatchObject({
      body: { step: "done", account_id: id },
    });
    const { sessions } = await twin.twins.control<{ sessions: { dead?: string }[] }>(
      "GET",
      `/telegram-account/accounts/${phone}`,
    );
    expect(sessions).toHaveLength(1);
    expect(await call("POST", "/login", { phone })).toMatchObject({ body: { already_connected: true } });
  });
});

describe("another program's session", () => {
  test.each([
    ["Telethon", telethonString],
    ["GramJS", gramjsString],
    ["Pyrogram", (key: Uint8Array) => pyrogramString(key, 1n)],
    ["mtcute", (key: Uint8Array) => mtcuteString(key)],
  ])("of %s is taken over", async (_name, write) => {
    const phone = await twin.aPerson({ name: "Глеб" });
    const { key } = await twin.twins.control<{ key: string }>(
      "POST",
      `/telegram-account/accounts/${phone}/sessions`,
    );
    const session = write(Buffer.from(key, "base64url"));
    const done = await call("POST", "/import", { session, title: "Рабочий" });
    expect(done).toMatchObject({ status: 200, body: { step: "done", phone: masked(phone) } });
    expect(await accountOf(done.body.account_id)).toMatchObject({ title: "Рабочий", phone, owner: "anna" });
  });

  test("that is none, or that Telegram does not know, is 400 and leaves nothing behind", async () => {
    const before = await database.sql`select from accounts.session_values`;
    expect(await call("POST", "/import", { session: "не сессия" })).toMatchObject({
      status: 400,
      body: { code: "login_session_refused" },
    });
    const unknown = telethonString(Buffer.alloc(256, "ключ"));
    expect(await call("POST", "/import", { session: unknown })).toMatchObject({
      status: 400,
      body: { code: "login_session_refused" },
    });
    expect(await database.sql`select from accounts.session_values`).toHaveLength(before.length);
  });

  test("of somebody else's account is refused and stays alive where it came from", async () => {
    const { phone } = await connect({}, "boris");
    const { key } = await twin.twins.control<{ key: string }>(
      "POST",
      `/telegram-account/accounts/${phone}/sessions`,
    );
    const session = telethonString(Buffer.from(key, "base64url"));
    expect(await call("POST", "/import", { session })).toMatchObject({ status: 403 });
    const { sessions } = await twin.twins.control<{ sessions: { dead?: string }[] }>(
      "GET",
      `/telegram-account/accounts/${phone}`,
    );
    expect(sessions.filter(({ dead }) => !dead)).toHaveLength(2);
  });
});

describe("signing out and proxies", () => {
  test("signing out ends the session at Telegram, forgets it and switches the account off", async () => {
    const { phone, id } = await connect();
    expect(await call("POST", `/${id}/logout`, {}, "boris")).toMatchObject({ status: 403 });
    expect(await call("POST", `/${id}/logout`, { reason: "уволился" })).toMatchObject({ status: 204 });
    expect(await accountOf(id)).toMatchObject({
      is_active: false,
      stopped_code: "session_revoked",
      connected_at: null,
    });
    expect(await database.sql`select from accounts.session_values where account_id = ${id}`).toHaveLength(0);
    const { sessions } = await twin.twins.control<{ sessions: unknown[] }>(
      "GET",
      `/telegram-account/accounts/${phone}`,
    );
    expect(sessions).toHaveLength(0);
    // Once more does no harm.
    expect(await call("POST", `/${id}/logout`, {})).toMatchObject({ status: 204 });
  });

  test("without Telegram signing out is 502, unless it is forced", async () => {
    const { id } = await connect();
    await twin.twins.control("POST", "/faults", {
      ...{ provider: "telegram-account", method: "logOut", times: 2 },
      fault: { kind: "drop_before" },
    });
    expect(await call("POST", `/${id}/logout`, {})).toMatchObject({ status: 502 });
    expect(await accountOf(id)).toMatchObject({ is_active: true });
    expect(await call("POST", `/${id}/logout`, { force: true })).toMatchObject({ status: 204 });
  });

  test("a proxy is kept sealed and shown without its password", async () => {
    const { id } = await connect();
    const proxy = "socks5://anna:secret@proxy.example:1081";
    expect(await call("PUT", `/${id}/proxy`, { proxy })).toMatchObject({
      status: 200,
      body: { proxy: "socks5://proxy.example:1081" },
    });
    const [row] = await database.sql`select address from accounts.proxies where account_id = ${id}`;
    expect(row?.address).not.toContain("secret");
    expect(await call("PUT", `/${id}/proxy`, { proxy: "proxy.example" })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/proxy" }] },
    });
    expect(await call("PUT", `/${id}/proxy`, { proxy: null })).toMatchObject({ body: { proxy: null } });
    expect(await call("GET", `/${id}/proxy`)).toMatchObject({ body: { proxy: null } });
  });
});

test("what an abandoned sign-in stored is forgotten a day later, what an account has stays", async () => {
  const { id } = await connect();
  const { phone } = await begin();
  const [attempt] = await database.sql`
    select account_id from accounts.login_attempts where phone = ${phone}`;
  const stored = async (accountId: string) =>
    (await database.sql`select from accounts.session_values where account_id = ${accountId}`).length;
  expect(await stored(attempt?.account_id)).toBeGreaterThan(0);
  ticking.advance(3_600_000);
  await forgetOldLogins(database.sql, clock.now());
  expect(await stored(attempt?.account_id)).toBeGreaterThan(0);
  ticking.advance(25 * 3_600_000);
  await forgetOldLogins(database.sql, clock.now());
  expect(await stored(attempt?.account_id)).toBe(0);
  expect(await stored(id)).toBeGreaterThan(0);
  expect(await database.sql`select from accounts.login_attempts where phone = ${phone}`).toHaveLength(0);
});

test("without a Telegram application signing in says what is missing", async () => {
  const server = await startTestHttpServer({
    ...{ sql: database.sql, clock },
    modules: [loginRoutes({ ...deps, driver: undefined })],
  });
  const response = await server.call("/api/v1/accounts/login", {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.anna}` },
    body: { phone: "+79012000001" },
  });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: "telegram_not_configured" });
  await server.stop();
});
