import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { forgetExpired } from "./forget-expired.ts";
import { newApiToken } from "./new-api-token.ts";
import { addOperator, ensureAdmin, listOperators, setPassword } from "./operators.ts";
import { hashPassword, isOutdated, verifyPassword } from "./password.ts";
import { createPasswordWork } from "./password-work.ts";
import { signInWithLink, signInWithPassword } from "./sign-in.ts";
import { createSignInLink } from "./signin-links.ts";
import { networkOf } from "./throttle.ts";

const clock = manualClock();
const passwordWork = createPasswordWork();
const visitor = { address: "198.51.100.7", userAgent: "x".repeat(1000) };
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

describe("operators", () => {
  it("begin with one admin, however many servers start first at once", async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => ensureAdmin(database.sql, { clock })));
    expect(made.filter(({ created }) => created)).toHaveLength(1);
    expect(await ensureAdmin(database.sql, { clock })).toEqual({ login: "admin", created: false });
    expect(await listOperators(database.sql)).toMatchObject([
      { login: "admin", has_password: false, disabled: false },
    ]);
  });

  it("have logins that differ in more than case", async () => {
    const added = await addOperator(database.sql, { login: " Anna@Example.org", name: "Анна", clock });
    expect(added).toMatchObject({ kind: "added", login: "anna@example.org" });
    const again = await addOperator(database.sql, { login: "ANNA@example.org", name: "Анна", clock });
    expect(again).toEqual({ kind: "refused", reason: "login_taken" });
    for (const login of ["", " ", "a b", "-x", "x".repeat(65)]) {
      const refused = await addOperator(database.sql, { login, name: "x", clock });
      expect(refused).toEqual({ kind: "refused", reason: "invalid_login" });
    }
  });

  it("get a password at the command line under the same rules", async () => {
    expect(await setPassword(database.sql, { login: "nobody", password: "long-enough-phrase" })).toEqual({
      kind: "unknown_operator",
    });
    expect(await setPassword(database.sql, { login: "admin", password: "short" })).toMatchObject({
      kind: "weak",
    });
  });

  it("have nothing left of what expired", async () => {
    await createSignInLink(database.sql, "admin", { clock });
    const link = await createSignInLink(database.sql, "admin", { clock });
    await signInWithLink(database.sql, link ?? "", visitor, { clock });
    await signInWithPassword(database.sql, { login: "admin", password: "wrong" }, visitor, {
      clock,
      passwordWork,
    });
    clock.advance(31 * 24 * 60 * 60 * 1000);
    await forgetExpired(database.sql, { clock });
    const [left] = await database.sql`
      select (select count(*) from molva.sessions) as sessions,
             (select count(*) from molva.signin_links) as links,
             (select count(*) from molva.signin_attempts) as attempts
    `;
    expect(left).toEqual({ sessions: 0, links: 0, attempts: 0 });
  });

  it("are hidden from every role but the owner", async () => {
    const open = await database.sql`
      select relname from pg_class
      where relnamespace = 'molva'::regnamespace and relkind = 'r' and not relrowsecurity
        and relname in ('operators', 'sessions', 'signin_links', 'api_tokens', 'signin_attempts', 'memberships', 'invitations',
                        'second_factors', 'recovery_codes', 'signin_challenges', 'oidc_identities')
    `;
    expect(open).toEqual([]);
  });
});

describe("signing in with a password", () => {
  const wait = async () => {
    const [row] = await database.sql`
      select count(*) > 0 as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return row?.waits;
  };

  it.each([
    ["the password is changed", "password_hash = 'another'"],
    ["the operator is disabled", "disabled = true"],
  ])("opens no session if %s while it is checked", async (_what, change) => {
    const { sql } = database;
    const login = `late-${change.length}`;
    await addOperator(sql, { login, name: "Анна", clock });
    const given = { login, password: "long-enough-phrase" };
    await setPassword(sql, given);
    let ended = false;
    const { signing } = await sql.begin(async (tx) => {
      await tx`update molva.operators set ${tx.unsafe(change)} where login = ${login}`;
      const begun = signInWithPassword(sql, given, visitor, { clock, passwordWork }).finally(() => {
        ended = true;
      });
      await until("it waits for the change, or did not look again", async () => ended || (await wait()));
      return { signing: begun };
    });
    expect(await signing).toMatchObject({ kind: "refused", operatorId: expect.any(String) });
    expect(
      await sql`select from molva.sessions s join molva.operators o on o.id = s.operator_id where o.login = ${login}`,
    ).toHaveLength(0);
  });
});

describe("a password's hash", () => {
  it("is salted, fits its password only, and carries its own parameters", async () => {
    const [one, two] = await Promise.all([hashPassword("пароль-пароль"), hashPassword("пароль-пароль")]);
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword("пароль-пароль", one)).toBe(true);
    expect(await verifyPassword("пароль-парол", one)).toBe(false);
    expect(await verifyPassword("", null)).toBe(false);
  });

  it("does not depend on how the keyboard composes letters", async () => {
    expect(await verifyPassword("и\u0306од-и\u0306од", await hashPassword("йод-йод"))).toBe(true);
  });

  it("made with older parameters still works and is renewed at the next sign-in", async () => {
    // "old enough phrase" with ln=10, r=8, p=1 and a salt of sixteen zero bytes.
    const old = "$scrypt$ln=10,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$IZgiNLV-IVkane5zzLMVF5FUI8ryWpTrg7JZXk73Rmg";
    expect(isOutdated(old)).toBe(true);
    await database.sql`update molva.operators set password_hash = ${old} where login = 'admin'`;
    const signIn = await signInWithPassword(
      database.sql,
      { login: "admin", password: "old enough phrase" },
      visitor,
      { clock, passwordWork },
    );
    expect(signIn.kind).toBe("signed_in");
    const [row] = await database.sql`select password_hash from molva.operators where login = 'admin'`;
    expect(row?.password_hash).toMatch(/^\$scrypt\$ln=15,/);
    expect(await verifyPassword("old enough phrase", row?.password_hash)).toBe(true);
  });
});

it("makes API tokens of one length that never repeat", () => {
  const tokens = Array.from({ length: 200 }, newApiToken);
  for (const token of tokens) expect(token).toMatch(/^mlv_[0-9A-Za-z]{43}$/);
  expect(new Set(tokens).size).toBe(200);
});

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::1", "0:0:0:0"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0DB8:0001:0002::ffff", "2001:db8:1:2"],
  ["2001:db8::9", "2001:db8:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("counts attempts from %s under %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
