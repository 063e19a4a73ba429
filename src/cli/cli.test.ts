import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { startTestTwins } from "../../twins/shared/testing.ts";
import { aWorkspace } from "../delivery/testing/builders.ts";
import { generateKey } from "../kernel/crypto/index.ts";
import { silentLog } from "../kernel/log/index.ts";
import { createSystem, type System } from "../main.ts";
import { configFrom } from "../modules.ts";
import { run } from "./main.ts";

let database: TestDatabase;
const home = mkdtempSync(join(tmpdir(), "molva-cli-"));
beforeAll(async () => {
  database = await testDatabase({ empty: true });
});
afterAll(() => database.drop());

const keys = generateKey();
const production = {
  MOLVA_ENV: "production",
  MOLVA_ENCRYPTION_KEYS: keys,
  MOLVA_PUBLIC_URL: "https://molva.example.com",
};

interface Result {
  code: number;
  out: string;
  err: string;
}

/** Runs a command line against the test database, or wherever the given environment points. */
async function molva(args: string[], environment: Record<string, string> = {}): Promise<Result> {
  const lines = { out: [] as string[], err: [] as string[] };
  const code = await run(args, {
    environment: {
      MOLVA_HOME: home,
      DATABASE_URL: database.url,
      MOLVA_PORT: "1",
      MOLVA_TWIN_PORT: "2",
      MOLVA_ENCRYPTION_KEYS: keys,
      ...environment,
    },
    out: (text) => lines.out.push(text),
    err: (text) => lines.err.push(text),
    isTerminal: false,
  });
  return { code, out: lines.out.join("\n"), err: lines.err.join("\n") };
}

describe("the command line", () => {
  it("explains itself, and so does every command", async () => {
    const { code, out } = await molva(["--help"]);
    expect(code).toBe(0);
    for (const name of [
      "up",
      "serve",
      "twin",
      "post",
      "signin",
      "token",
      "doctor",
      "config",
      "migrate",
      "seed",
    ]) {
      expect(out).toMatch(new RegExp(`^  ${name}\\b`, "m"));
      expect((await molva([name, "--help"])).out).toContain("Usage: molva");
    }
  });

  it("tells options that must be given from those that may be, and what each field takes", async () => {
    const { out } = await molva(["channel", "add", "--help"]);
    expect(out.replaceAll(/\s+/g, " ")).toContain("`molva credential list` shows it (required)");
    expect(out).not.toMatch(/--reason .*\(required\)/);
    expect(out).toMatch(/^ {2}rate_rps +Posts a second into this channel/m);
    expect((await molva(["channel", "delete", "--help"])).out).toMatch(/--reason .*\(required\)/);
    const usage = (await molva(["llm", "usage", "--help"])).out;
    expect(usage.replaceAll(/\s+/g, " ")).toContain("(default: 30d)");
  });

  it.each([
    [["explode"]],
    [["post", "--wings"]],
    [["serve", "--role", "singer"]],
    [["token", "add"]],
    [["token", "reader"]],
  ])("answers %j with exit code 2 and a sentence, not a stack", async (args) => {
    const { code, err } = await molva(args);
    expect(code).toBe(2);
    expect(err).toMatch(/^error: /);
    expect(err).not.toContain("    at ");
  });

  it("lists every error of the settings at once", async () => {
    const { code, err } = await molva(["config", "check"], { MOLVA_PORT: "many", MOLVA_ENV: "moon" });
    expect(code).toBe(2);
    expect(err).toContain("2 errors");
    expect(err).toContain("MOLVA_PORT must be a whole number");
  });

  it.each(["127.0.0.1:1", "127.0.0.1:1,127.0.0.1:2"])(
    "says when the database at %s does not answer, with exit code 3 and without the password",
    async (hosts) => {
      const { code, err } = await molva(["migrate"], { DATABASE_URL: `postgres://me:hunter2@${hosts}/none` });
      expect(code).toBe(3);
      expect(err).toContain(`PostgreSQL at ${hosts}/none does not answer`);
      expect(err).not.toContain("hunter2");
    },
  );
});

describe("config", () => {
  it("shows the settings in force without the secrets", async () => {
    const { code, out } = await molva(["config", "check"]);
    expect(code).toBe(0);
    expect(out).toMatch(/DATABASE_URL +\(set, not shown\)/);
    const { out: json } = await molva(["config", "check", "--json"]);
    expect(JSON.parse(json)).toMatchObject({ ok: true });
    expect(json).not.toContain(database.url);
  });

  it("shows every value as it would be set", async () => {
    const given = { MOLVA_ALLOW_HOSTS: "a.example:80,b.example:80", MAX_UPLOAD_POLICY: "image=url_allowed" };
    const { out } = await molva(["config", "check"], given);
    expect(out).not.toContain("[object");
    expect(out).toMatch(/MOLVA_ALLOW_HOSTS +a\.example:80,b\.example:80/);
    expect(out).toMatch(/MAX_UPLOAD_POLICY +image=url_allowed,video=upload_required,/);
  });

  it("prints an example file and makes keys that it accepts itself", async () => {
    expect((await molva(["config", "example"])).out).toContain("#MOLVA_PORT=8080");
    const { out: key } = await molva(["config", "key"]);
    expect((await molva(["config", "check"], { MOLVA_ENCRYPTION_KEYS: key })).code).toBe(0);
  });
});

describe("migrate, seed and their company", () => {
  it("refuses to seed tables that are not there", async () => {
    expect(await molva(["seed"])).toMatchObject({
      code: 1,
      err: "The database has no tables yet; run `molva migrate` first.",
    });
  });

  it("shows what waits, applies it once, and then has nothing to do", async () => {
    expect((await molva(["migrate", "status"])).out).toContain("waits    0001_molva");
    expect((await molva(["migrate"])).out).toContain("applied  0001_molva");
    expect((await molva(["migrate"])).out).toBe("The database is up to date.");
    const { out } = await molva(["migrate", "status", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ pending: [], changedFunctions: [] });
  });

  it("fills the demo workspace as often as it is asked to", async () => {
    expect((await molva(["seed"])).out).toBe("The demo workspace has 40 channels.");
    expect(JSON.parse((await molva(["seed", "--json"])).out)).toEqual({
      channels: 40,
      posts: 0,
      unmirrored: [],
    });
    const [row] = await database.sql`
      select count(*)::int, count(*) filter (where platform = 'max')::int as max from delivery.channels`;
    expect(row).toEqual({ count: 40, max: 20 });
  });

  it("never seeds production", async () => {
    for (const environment of [production, { MOLVA_ENV: "development" }])
      expect(await molva(["seed"], environment)).toMatchObject({
        code: 2,
        err: expect.stringContaining("molva workspace add"),
      });
  });

  it("has doctor name the demo's secrets wherever others could use them, with a command against each", async () => {
    expect((await molva(["doctor"])).out).toContain("✓ published secrets: 3 secrets of the demo");
    const { out } = await molva(["doctor"], production);
    expect(out).toContain("✗ published secrets:");
    expect(out).toContain("endpoint “Демонстрационный вход” of “Демонстрация”: `molva endpoint rotate");
    expect(out).toContain("max credential demo-max-bot of “Демонстрация”");
  });

  it("serve demands an environment, and never becomes a demo", async () => {
    expect(await molva(["serve"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("MOLVA_ENV is not set"),
    });
    expect(await molva(["serve"], { MOLVA_ENV: "demo" })).toMatchObject({
      code: 2,
      err: expect.stringContaining("The demo runs only under `molva up`"),
    });
  });

  it("up refuses a demo that others could reach, unless told so", async () => {
    expect(await molva(["up"], { MOLVA_HOST: "0.0.0.0" })).toMatchObject({
      code: 2,
      err: expect.stringContaining("MOLVA_DEMO_EXPOSED"),
    });
  });

  it("refuses a database that a newer release has migrated", async () => {
    await database.sql`insert into molva.migrations (number, name, checksum) values (9999, '9999_future', '')`;
    expect(await molva(["migrate"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("newer than this release"),
    });
    expect((await molva(["doctor"])).out).toContain("✗ database: The database is newer than this release");
    await database.sql`delete from molva.migrations where number = 9999`;
  });
});

describe("signin and token", () => {
  it("says who there is when the operator is unknown", async () => {
    expect(await molva(["signin", "nobody"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no operator nobody"),
    });
  });

  it("makes a token that is stored as a hash only", async () => {
    const { code, out } = await molva(["token", "add", "мониторинг", "--scope", "read", "operate", "--json"]);
    expect(code).toBe(0);
    const made = JSON.parse(out);
    expect(made).toMatchObject({ name: "мониторинг", scopes: ["read", "operate"] });
    expect(made.token).toMatch(/^mlv_/);
    const rows = await database.sql`select * from molva.api_tokens`;
    expect(JSON.stringify(rows)).not.toContain(made.token);
  });

  it("lists tokens without showing them, and revokes one by its name", async () => {
    const { out: token } = await molva(["token", "add", "касса"]);
    const { out } = await molva(["token", "list"]);
    expect(out).toMatch(/read +all +2\d{3}-\S+ \S+ +everywhere +never +касса$/m);
    expect(out).not.toContain(token);
    expect((await molva(["token", "revoke", "касса"])).out).toBe("касса opens nothing any more.");
    const names = JSON.parse((await molva(["token", "list", "--json"])).out).items.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).toEqual(["мониторинг"]);
    expect(await molva(["token", "revoke", "касса"])).toMatchObject({
      code: 1,
      err: "There is no token касса here.",
    });
  });
});

describe("doctor", () => {
  it("tells of several hosts which one takes writes, and whether a standby has all that was confirmed", async () => {
    const { host } = new URL(database.url);
    const { out } = await molva(["doctor"], {
      DATABASE_URL: database.url.replace(host, `${host},127.0.0.1:1`),
    });
    const line = out.split("\n").find((each) => each.includes("database hosts")) ?? "";
    expect(line).toMatch(/^✓ database hosts: /);
    expect(line).toContain(`${host} takes writes`);
    expect(line).toContain("127.0.0.1:1 does not answer (connect ECONNREFUSED 127.0.0.1:1)");
    expect(line).toContain("asynchronous: what was confirmed last would be lost");
  });

  it("finds a healthy machine healthy", async () => {
    const { code, out } = await molva(["doctor", "--json"], { MOLVA_PORT: "0", MOLVA_TWIN_PORT: "0" });
    expect(JSON.parse(out)).toMatchObject({ ok: true });
    expect(code).toBe(0);
  });

  it("names variables that a workspace may not read", async () => {
    await molva(["migrate"]);
    const id = await aWorkspace(database.sql);
    await database.sql`
      insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
      values (${id}, 'doctor', 'telegram', 'env:DOCTOR_BOT')`;
    const doctor = async (given: Record<string, string>) =>
      (await molva(["doctor"], { MOLVA_PORT: "0", MOLVA_TWIN_PORT: "0", ...given })).out;
    expect(await doctor({ DOCTOR_BOT: "1:x" })).toContain(
      `✗ named variables: add DOCTOR_BOT=${id} to MOLVA_WORKSPACE_VARIABLES`,
    );
    const bound = { MOLVA_WORKSPACE_VARIABLES: `DOCTOR_BOT=${id}` };
    expect(await doctor(bound)).toMatch(/✓ named variables: none set; not set here: .*DOCTOR_BOT/);
    expect(await doctor({ ...bound, DOCTOR_BOT: "1:x" })).toContain("✓ named variables: 1 set and bound");
    await database.sql`delete from workspaces.workspaces where workspace_id = ${id}`;
  });

  it("says whether errors are reported, and whether Sentry answers", async () => {
    const twins = await startTestTwins();
    const { host } = new URL(twins.url);
    const says = async (given: Record<string, string>) =>
      (await molva(["doctor"], { MOLVA_PORT: "0", MOLVA_TWIN_PORT: "0", ...given })).out
        .split("\n")
        .find((line) => line.includes("reports of errors"));
    expect(await says({})).toBe("✓ reports of errors: none; SENTRY_DSN reports errors to Sentry");
    const SENTRY_DSN = `http://0123456789abcdef0123456789abcdef@${host}/sentry/1`;
    expect(await says({ SENTRY_DSN })).toBe(`✓ reports of errors: ${host} answers`);
    await twins.close();
    expect(await says({ SENTRY_DSN })).toMatch(
      /^✗ reports of errors: .* does not answer: .*check SENTRY_DSN/,
    );
  });

  it("names what is wrong and exits with 1", async () => {
    const { code, out } = await molva(["doctor"], { MOLVA_HOME: "/dev/null/home" });
    expect(code).toBe(1);
    expect(out).toContain("✗ home folder: /dev/null/home cannot be written; set MOLVA_HOME");
  });
});

describe("post", () => {
  let system: System;
  let server: string;
  beforeAll(async () => {
    const environment = { MOLVA_HOME: home, DATABASE_URL: database.url, MOLVA_PORT: "0" };
    system = await createSystem({
      config: configFrom(environment),
      environment,
      databaseUrl: database.url,
      roles: ["api"],
      log: silentLog,
    });
    await system.start();
    server = system.url() ?? "";
  });
  afterAll(() => system.stop());

  it("posts through the ingest endpoint and says how far it got", async () => {
    const { code, out } = await molva(["post", "Привет из командной строки", "--url", server]);
    expect(code).toBe(0);
    const [said, id = ""] = out.split("\n");
    expect(said).toBe("Accepted: on its way to 4 channels.");
    expect(
      await database.sql`select from delivery.messages where message_id::text = ${id.trim()}`,
    ).toHaveLength(1);
    const again = await molva(["post", "Привет из командной строки", "--url", server]);
    expect(again.out).toBe(
      "The server has taken this request already: the repeat was dropped. To send the post once more, give another --ref.",
    );
  });

  it("fails when no channel takes it, and says which filters let it pass by", async () => {
    const turn = (enabled: boolean) =>
      database.sql`update delivery.channels set enabled = ${enabled} where route_filter is null`;
    await turn(false);
    const { code, out, err } = await molva(["post", "Никому", "--tag", "нигде", "--url", server]);
    await turn(true);
    expect(code).toBe(1);
    expect(out).toMatch(/^Stored, but on its way to no channel\.\n[0-9a-f-]{36}$/);
    expect(err).toMatch(
      /^No channel takes a post with the tags нигде: \d+ channels ask for one of .+switched off.*\.$/,
    );
  });

  it("takes tags, formats, photos and an id of the sender's own", async () => {
    const options = [
      "--tag",
      "спорт",
      "--html",
      "--photo",
      "https://example.com/a.jpg",
      "--ref",
      "cli-1",
      "--json",
      "--url",
      server,
    ];
    const { code, out } = await molva(["post", "<b>Матч</b>", ...options]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, queued: 6 });
    const [message] =
      await database.sql`select payload, tags, source_ref from delivery.messages where source_ref = 'cli-1'`;
    expect(message).toMatchObject({
      tags: ["спорт"],
      payload: { parse_mode: "HTML", media: [{ type: "photo" }] },
    });
  });

  it("repeats what the server says is wrong", async () => {
    const wrong = join(home, "wrong-secret");
    writeFileSync(wrong, "wrong\n");
    expect(await molva(["post", "а", "--secret-file", wrong, "--url", server])).toMatchObject({
      code: 1,
      err: expect.stringContaining("The server refused the post (403)"),
    });
    expect(await molva(["post", " "])).toMatchObject({ code: 2 });
  });

  it("says when no server answers, with exit code 3", async () => {
    expect(await molva(["post", "а", "--url", "http://127.0.0.1:1"])).toMatchObject({
      code: 3,
      err: expect.stringContaining("No server answers at http://127.0.0.1:1"),
    });
  });
});

describe("a database that the demo used", () => {
  it("serve does not start in production while the demo's secrets open doors, until its advice is followed", async () => {
    const refused = await molva(["serve"], production);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("Production does not start with them"),
    });
    const advice = /`molva (endpoint rotate \S+) --workspace '(.+?)' --overlap 0 --reason published`/.exec(
      refused.err,
    );
    const [, command = "", workspace = ""] = advice ?? [];
    const args = [...command.split(" "), "--workspace", workspace, "--overlap", "0", "--reason", "published"];
    expect((await molva(args, production)).code).toBe(0);
    expect((await molva(["doctor"], production)).out).not.toContain("endpoint “Демонстрационный вход”");
  });
});

describe("a new server", () => {
  let fresh: TestDatabase;
  beforeAll(async () => {
    fresh = await testDatabase();
  });
  afterAll(() => fresh.drop());
  const onServer = (...args: string[]) => molva(args, { ...production, DATABASE_URL: fresh.url });

  it("names a command that works while there is no workspace", async () => {
    const { code, err } = await onServer("endpoint", "list");
    expect(code).toBe(2);
    expect(err).toContain("`molva workspace add <name>`");
  });

  it("has a workspace from the first sign-in on, in which a door can be opened", async () => {
    expect((await onServer("signin")).out).toMatch(/^https:\/\/molva\.example\.com\/signin#/);
    await onServer("signin");
    expect(await fresh.sql`select name from workspaces.workspaces`).toEqual([{ name: "Молва" }]);
    expect((await onServer("endpoint", "add", "site")).out).toContain("open it with this secret");
  });

  it("asks which workspace is meant when there are several, and lists them", async () => {
    expect((await onServer("workspace", "add", "Вторая")).code).toBe(0);
    const { code, err } = await onServer("endpoint", "list");
    expect(code).toBe(2);
    expect(err).toMatch(/--workspace:\n {2}[0-9a-f-]{36} {2}Молва\n {2}[0-9a-f-]{36} {2}Вторая$/);
    expect((await onServer("endpoint", "list", "--workspace", "Вторая")).out).toBe("No endpoints.");
    await onServer("workspace", "add", "Вторая");
    expect((await onServer("endpoint", "list", "--workspace", "Вторая")).err).toContain(
      "Several workspaces are called Вторая",
    );
  });
});
