import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { telethonString } from "../../../tests/support/session-strings.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { until } from "../../../tests/support/until.ts";
import { startTestTwins, type TestTwins } from "../../../twins/shared/testing.ts";
import { type Ran, runCommand } from "../../cli/testing/run-command.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { generateKey } from "../../kernel/crypto/index.ts";
import { addAccountCommand } from "./account.ts";

let database: TestDatabase;
let twins: TestTwins;
let workspace: string;
let people = 0;
const home = tempFolder("cli-account-login");
const key = generateKey();

beforeAll(async () => {
  database = await testDatabase();
  await database.sql`select workspaces.ensure_event_partitions()`;
  twins = await startTestTwins();
});
afterAll(async () => {
  await twins.close();
  await database.drop();
});
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
});

/** Runs `molva account …`; what it asks is answered in turn. */
function account(
  args: readonly string[],
  answers: readonly (string | (() => Promise<string>))[] = [],
  hear?: (line: string) => void,
): Promise<Ran & { asked: string[] }> {
  const asked: string[] = [];
  const left = [...answers];
  const environment = {
    ...{ MOLVA_HOME: home, DATABASE_URL: database.url, MOLVA_ENCRYPTION_KEYS: key },
    MOLVA_TWIN_PORT: new URL(twins.url).port,
  };
  return runCommand(
    addAccountCommand,
    ["account", ...args, "--workspace", workspace],
    environment,
    hear,
    async (question) => {
      asked.push(question);
      const next = left.shift();
      return typeof next === "function" ? next() : next;
    },
  ).then((ran) => ({ ...ran, asked }));
}

async function aPerson(given: Record<string, unknown> = {}): Promise<string> {
  people += 1;
  const phone = `+7903${String(3_000_000 + people)}`;
  await twins.control("POST", "/telegram-account/accounts", { phone, name: "Анна", ...given });
  return phone;
}

const codeOf = (phone: string) => async () =>
  (await twins.control<{ codes: string[] }>("GET", `/telegram-account/accounts/${phone}`)).codes[0] ?? "";

describe("molva account login", () => {
  test("asks for the code and the password, again after a mistake, and ends with the account", async () => {
    const phone = await aPerson({ password: "сим-сим", hint: "пещера" });
    const ran = await account(["login", phone, "--owner", "anna"], ["99", codeOf(phone), "мимо", "сим-сим"]);
    expect(ran.asked).toEqual([
      ...["Code (or: resend): ", "Code (or: resend): "],
      ...["Password (hint: пещера): ", "Password (hint: пещера): "],
    ]);
    expect(ran.err).toMatch(/other devices[\s\S]*PHONE_CODE_INVALID[\s\S]*PASSWORD_HASH_INVALID/);
    expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/is signed in\. Next: molva account/) });
    const rows = await database.sql`
      select owner, phone, is_active from accounts.accounts where workspace_id = ${workspace}`;
    expect(rows).toEqual([{ owner: "anna", phone, is_active: true }]);
    expect(await account(["login", phone])).toMatchObject({
      code: 0,
      out: expect.stringContaining("was signed in already"),
    });
  });

  test("left in the middle, it goes on by another command", async () => {
    const phone = await aPerson();
    const left = await account(["login", phone]);
    expect(left.code).toBe(1);
    const id = /--attempt ([0-9a-f-]{36})/.exec(left.err)?.[1] ?? "";
    const resent = await account(["login", "--attempt", id], ["resend", codeOf(phone)]);
    expect(resent.err).toContain("by SMS");
    expect(resent).toMatchObject({ code: 0, out: expect.stringContaining("is signed in") });
    expect(await account(["login", "--attempt", id])).toMatchObject({
      code: 0,
      out: expect.stringContaining("is signed in"),
    });
  });

  test("shows a QR code and waits until it is scanned", async () => {
    const phone = await aPerson();
    const ran = account(["login", "--qr", "--json"]);
    const url = await until("the code is shown", async () => {
      const { entries } = await twins.control<{ entries: { response: { url?: string } }[] }>(
        "GET",
        "/journal?provider=telegram-account&method=exportLoginToken",
      );
      return entries.at(-1)?.response.url;
    });
    await twins.control("POST", "/telegram-account/scan", { url, phone });
    const { code, out, err } = await ran;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ step: "done" });
    expect(err).toMatch(/█[\s\S]*tg:\/\/login\?token=/);
  });

  test("says what is wrong with what was typed", async () => {
    expect(await account(["login"])).toMatchObject({ code: 2, err: expect.stringContaining("--qr") });
    expect(await account(["login", "79012000001"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("country code"),
    });
    expect(await account(["login", "+15550000000"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("PHONE_NUMBER_INVALID"),
    });
    expect(await account(["login", "--attempt", randomUUID()])).toMatchObject({ code: 1 });
    expect(await account(["login", "+79012000001", "--proxy-file", aFile("somewhere")])).toMatchObject({
      code: 2,
      err: expect.stringContaining("socks5://"),
    });
  });
});

function aFile(text: string): string {
  const path = join(home, "secret");
  writeFileSync(path, text);
  return path;
}

test("molva account import, proxy and logout", async () => {
  const phone = await aPerson();
  const { key: authKey } = await twins.control<{ key: string }>(
    "POST",
    `/telegram-account/accounts/${phone}/sessions`,
  );
  const session = telethonString(Buffer.from(authKey, "base64url"));
  expect(await account(["import"], [""])).toMatchObject({ code: 2 });
  expect(await account(["import"], ["не сессия"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("Telethon"),
  });
  expect(await account(["import", "--title", "Рабочий"], [session])).toMatchObject({
    code: 0,
    out: expect.stringContaining("is signed in"),
  });
  expect(await account(["proxy", phone])).toMatchObject({ out: "No proxy: straight to Telegram." });
  expect(
    await account(["proxy", "Рабочий", "--proxy-file", aFile("socks5://anna:secret@proxy.example\n")]),
  ).toMatchObject({
    code: 0,
    out: "socks5://proxy.example:1080",
  });
  expect(await account(["proxy", phone, "--remove"])).toMatchObject({ code: 0 });
  expect(await account(["logout", phone, "--reason", "уволился"])).toMatchObject({
    code: 0,
    out: expect.stringContaining("signed out"),
  });
  const { sessions } = await twins.control<{ sessions: unknown[] }>(
    "GET",
    `/telegram-account/accounts/${phone}`,
  );
  expect(sessions).toHaveLength(0);
});
