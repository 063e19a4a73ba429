import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { auditRows } from "../../audit/index.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { addOperator, createSignInLink, ensureAdmin, findOperator, setPassword } from "../../http/index.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import { generateKey } from "../../kernel/crypto/index.ts";
import { run } from "../main.ts";

let database: TestDatabase;
const home = tempFolder("operators");
const keys = generateKey();

beforeAll(async () => {
  database = await testDatabase();
  await ensureAdmin(database.sql, { clock });
  await aWorkspace(database.sql, { name: "Магазин" });
  await addOperator(database.sql, { login: "anna", name: "Анна", clock });
});
afterAll(() => database.drop());

async function molva(...args: string[]) {
  const lines: string[] = [];
  const code = await run(args, {
    environment: { MOLVA_HOME: home, DATABASE_URL: database.url, MOLVA_ENCRYPTION_KEYS: keys },
    out: (text) => lines.push(text),
    err: (text) => lines.push(text),
    isTerminal: false,
  });
  return { code, text: lines.join("\n") };
}

describe("molva operator", () => {
  it("gives roles, lists them and takes them, but not that of the last admin", async () => {
    expect((await molva("operator", "role", "anna", "admin")).text).toBe("anna is admin now.");
    const { text } = await molva("operator", "list");
    expect(text).toMatch(/admin +Администратор +enabled +administrator/);
    expect(text).toMatch(/anna +Анна +enabled +admin in Магазин/);
    const refusal = { code: 1, text: expect.stringContaining("the last admin of the workspace") };
    expect(await molva("operator", "remove", "anna")).toEqual(refusal);
    expect(await molva("operator", "role", "anna", "viewer")).toEqual(refusal);
    expect((await molva("operator", "role", "admin", "admin")).code).toBe(0);
    expect((await molva("operator", "remove", "anna")).text).toBe("anna is removed.");
    expect((await molva("operator", "remove", "anna")).text).toBe("anna has no role in this workspace.");
  });

  it("invites by a link, lists invitations and revokes them", async () => {
    const { text: url } = await molva("operator", "invite", "Boris@example.org", "--role", "viewer");
    expect(url).toMatch(/\/invitation#[\w-]{43}$/);
    const page = JSON.parse((await molva("operator", "invitations", "--json")).text);
    expect(page.items).toMatchObject([{ login: "boris@example.org", role: "viewer", invited_by: null }]);
    expect((await molva("operator", "uninvite", "boris@example.org")).text).toBe("Revoked: 1.");
    expect((await molva("operator", "uninvite", "boris@example.org")).code).toBe(1);
    expect((await molva("operator", "invite", "vera", "--role", "administrator")).code).toBe(0);
    // Composed in one way when inviting, in another when revoking.
    expect((await molva("operator", "invite", "йод@example.org")).code).toBe(0);
    expect((await molva("operator", "uninvite", "И\u0306од@example.org")).text).toBe("Revoked: 1.");
  });

  it("disables and enables, but not the last administrator", async () => {
    expect((await molva("operator", "disable", "admin")).text).toContain("the last administrator");
    expect((await molva("operator", "remove", "admin", "--administrator")).code).toBe(1);
    expect((await molva("operator", "role", "anna", "administrator")).code).toBe(0);
    expect((await molva("operator", "disable", "admin")).text).toBe("admin is disabled.");
    expect(await findOperator(database.sql, "admin")).toMatchObject({ disabled: true });
    expect((await molva("operator", "enable", "admin")).code).toBe(0);
    expect((await molva("operator", "disable", "nobody")).text).toContain("there are admin, anna");
  });
});

describe("molva operator reset", () => {
  const login = "boris@example.org";

  async function aBoris() {
    const { sql } = database;
    const added = await addOperator(sql, { login, name: "Борис", clock });
    if (added.kind !== "added") throw new Error(added.reason);
    const { id } = added;
    await setPassword(sql, { login, password: "verbal-marmalade-42" });
    await createSignInLink(sql, login, { clock });
    await sql`
      insert into molva.sessions (operator_id, token_sha256, created_at, last_seen_at, expires_at)
      values (${id}, 'boris', now(), now(), now() + interval '1 day')`;
    await sql`
      insert into molva.signin_challenges (token_sha256, operator_id, method, created_at, expires_at)
      values ('boris', ${id}, 'password', now(), now() + interval '1 day')`;
    await sql`
      insert into molva.oidc_identities (issuer, subject, operator_id, linked_at)
      values ('https://id.example', 'boris', ${id}, now())`;
    await sql`insert into molva.second_factors (operator_id, secret, created_at, confirmed_at)
      values (${id}, 'sealed', now(), now())`;
    return id;
  }

  it("takes every way in but the second factor, and prints a new link", async () => {
    const id = await aBoris();
    const { code, text } = await molva("operator", "reset", "Boris@Example.org");
    expect(code).toBe(0);
    expect(text).toContain("`molva second-factor reset boris@example.org`");
    expect(text).toMatch(/\/signin#[\w-]{43}$/);
    const [left] = await database.sql`
      select (select count(*)::int from molva.sessions where operator_id = ${id}) as sessions,
             (select count(*)::int from molva.signin_links where operator_id = ${id}) as links,
             (select count(*)::int from molva.signin_challenges where operator_id = ${id}) as challenges,
             (select count(*)::int from molva.oidc_identities where operator_id = ${id}) as identities,
             (select count(*)::int from molva.second_factors where operator_id = ${id}) as factors`;
    expect(left).toEqual({ sessions: 0, links: 1, challenges: 0, identities: 0, factors: 1 });
    expect(await findOperator(database.sql, login)).toMatchObject({ has_password: false });
    const noted = (await auditRows(database.sql, {}, { limit: 100 })).filter(
      ({ action }) => action === "password.reset",
    );
    expect(noted).toMatchObject([
      { actor: { kind: "command", id: expect.any(String) }, subject: { kind: "operator", id }, result: "ok" },
    ]);
  });

  it("says it in JSON, gives a disabled operator no link, and knows who there is", async () => {
    expect(JSON.parse((await molva("operator", "reset", login, "--json")).text)).toEqual({
      login,
      url: expect.stringMatching(/\/signin#[\w-]{43}$/),
    });
    await molva("operator", "disable", login);
    const { code, text } = await molva("operator", "reset", login);
    expect(code).toBe(0);
    expect(text).toContain("`molva operator enable boris@example.org`");
    expect(text).not.toContain("/signin#");
    expect((await molva("operator", "reset", "nobody")).text).toContain("There is no operator nobody");
  });
});

describe("molva session", () => {
  it("lists where people are signed in, and signs them out", async () => {
    const anna = await findOperator(database.sql, "anna");
    for (const browser of ["Firefox", "Chrome", "Safari"])
      await database.sql`
        insert into molva.sessions (operator_id, token_sha256, created_at, last_seen_at, expires_at, user_agent)
        values (${anna?.id ?? null}, ${browser}, now(), now(), now() + interval '1 day', ${browser})`;
    const { items } = JSON.parse((await molva("session", "list", "--operator", "anna", "--json")).text);
    expect(items.map(({ user_agent }: { user_agent: string }) => user_agent).sort()).toEqual([
      "Chrome",
      "Firefox",
      "Safari",
    ]);
    expect((await molva("session", "revoke", items[0].id)).text).toBe("Ended: 1.");
    expect((await molva("session", "revoke", "--operator", "anna")).text).toBe("Ended: 2.");
    expect((await molva("session", "list")).text).toBe("Nobody is signed in.");
    expect((await molva("session", "revoke")).code).toBe(2);
  });
});

describe("molva token", () => {
  const made = async (...args: string[]) =>
    JSON.parse((await molva("token", "add", ...args, "--json")).text) as Record<string, unknown>;
  const days = (token: Record<string, unknown>) =>
    Math.round((Date.parse(String(token.expires_at)) - Date.parse(String(token.created_at))) / 86_400_000);

  it("makes tokens for 90 days, for as long as is said, or for ever", async () => {
    expect(days(await made("a"))).toBe(90);
    expect(days(await made("b", "--expires", "30d"))).toBe(30);
    expect(await made("c", "--expires", "2099-01-31T12:00Z")).toMatchObject({
      expires_at: "2099-01-31T12:00:00.000Z",
    });
    expect(await made("d", "--expires", "never")).toMatchObject({ expires_at: null });
    for (const wrong of ["tomorrow", "0d", "2020-01-01"])
      expect((await molva("token", "add", "e", "--expires", wrong)).code).toBe(2);
  });

  it("sets the networks from which they work", async () => {
    expect(await made("near", "--network", "10.0.0.0/8", "2001:db8::/32")).toMatchObject({
      networks: ["10.0.0.0/8", "2001:db8::/32"],
    });
    expect((await molva("token", "networks", "near", "192.0.2.7")).text).toBe("near works from 192.0.2.7.");
    expect((await molva("token", "list")).text).toContain("192.0.2.7");
    expect((await molva("token", "networks", "near")).text).toBe("near works from everywhere.");
    expect((await molva("token", "networks", "near", "elsewhere")).code).toBe(2);
  });
});
