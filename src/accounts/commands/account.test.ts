import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { type Ran, runCommand } from "../../cli/testing/run-command.ts";
import { aChannel } from "../../delivery/testing/builders.ts";
import { createVault, generateKey } from "../../kernel/crypto/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { createTwinDriver } from "../../platforms/index.ts";
import { accountRefOf } from "../account-ref.ts";
import { createSessionStore } from "../sessions/session-store.ts";
import { newRecords, type Records } from "../testing/records.ts";
import { addAccountCommand } from "./account.ts";
import { addObjectCommand } from "./object.ts";

let database: TestDatabase;
let twins: RunningTwins;
let records: Records;
const home = tempFolder("cli-account");
const key = generateKey();
const phone = "+79995550001";
const file = (name: string, text: string) => {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
};

beforeAll(async () => {
  database = await testDatabase();
  await database.sql`select workspaces.ensure_event_partitions()`;
  records = await newRecords(database.sql);
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  await control("/accounts", { phone, name: "Анна", fixed_code: "12345" });
  await control("/chats", { title: "Аренда Центр", username: "arenda_centr", members: [{ phone }] });
  await control("/chats", { title: "Аренда Юг", username: "arenda_yug" });
  const id = await records.anAccount({
    phone,
    title: "Анна",
    connected_at: new Date(),
    window_from: "00:00",
    window_to: "24:00",
  });
  await signIn(id);
});
afterAll(async () => {
  await twins.close();
  await database.drop();
});

async function control(path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${twins.url}/_control/telegram-account${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** As another process would have done before. */
async function signIn(accountId: string): Promise<void> {
  const { sql } = database;
  const http = createProviderClient();
  const driver = createTwinDriver({
    http,
    sessions: createSessionStore({ sql, vault: createVault([key]) }),
    root: `${twins.url}/telegram-account`,
  });
  const ref = await accountRefOf({ sql }, { workspaceId: records.workspaceId, accountId });
  if (!ref) throw new Error("no account");
  const sent = await driver.logins.sendCode(ref, phone);
  if (!sent.ok || sent.value.step !== "code") throw new Error("no code");
  await driver.logins.signIn(ref, { phone, codeHash: sent.value.codeHash, code: "12345" });
  await driver.close();
  await http.close();
}

function molva(...args: string[]): Promise<Ran> {
  const add = args[0] === "object" ? addObjectCommand : addAccountCommand;
  return runCommand(add, [...args, "--workspace", records.workspaceId], {
    MOLVA_HOME: home,
    DATABASE_URL: database.url,
    MOLVA_ENV: "demo",
    MOLVA_TWIN_PORT: new URL(twins.url).port,
    MOLVA_ENCRYPTION_KEYS: key,
  });
}

const json = async (...args: string[]) => JSON.parse((await molva(...args, "--json")).out);

describe("molva account and molva object", () => {
  // covers accounts: 17. Diagnostics match the database
  it("take an object from a file to a plan, and tell all about it", async () => {
    expect((await molva("account", "chat", "load", "Анна")).out).toBe(
      "1 chat: 1 new; 0 that it can no longer write to.",
    );
    expect((await molva("account", "chat", "list", "--account", phone)).out).toContain("Аренда Центр");
    expect((await molva("account", "phone", "Анна")).out).toBe(phone);
    const flats = [
      {
        external_ref: "flat-1",
        title: "Студия на Соколе",
        texts: { default: "<b>Студия</b>, 62 000 ₽", compact: "Студия, 62 000 ₽" },
        fields: { room_type: "студия", price: 62_000 },
      },
    ];
    expect((await molva("object", "import", file("flats.json", JSON.stringify(flats)))).out).toBe(
      "1 added, 0 changed, 0 as they were.",
    );
    expect((await molva("object", "readiness", "flat-1")).out).toContain(
      "The object has no autopublish configuration",
    );
    const saved = await molva(
      "object",
      "autopublish",
      "flat-1",
      "--account",
      "Анна",
      "--format",
      "compact",
      "--on",
      "on",
    );
    expect(saved.out).toContain("1 task planned");
    expect(saved.out).toMatch(
      /Анна: The account is warming up: up to 14 messages today.* Full pace \(200 a day\) on \d+ \w+/,
    );
    expect((await molva("object", "show", "flat-1")).out).toMatch(/format +compact/);
    expect((await molva("object", "list")).out).toMatch(/Студия на Соколе +flat-1 +admin +on/);
    expect((await molva("object", "life", "flat-1")).out).toContain("Scheduled for");
    expect((await molva("account", "queue", "--object", "flat-1")).out).toMatch(
      /pending +Анна +Студия на Соколе +Аренда Центр/,
    );
    expect((await molva("account", "timeline", "Анна")).out).toContain("Студия на Соколе");
    expect((await molva("account", "list")).out).toMatch(/Анна +\+7…0001 +anna +normal +0\+1\/200/);
    expect((await molva("account", "overview")).out).toMatch(/pending +1/);
    expect((await molva("account", "status")).out).toContain("normal, 5 min");
    expect((await molva("account", "readiness")).out).toContain("ready  Студия на Соколе: 1 of 1");
    expect((await molva("object", "autopublish", "flat-1", "--on", "off")).out).toContain("1 called off");
    expect((await molva("object", "autopublish", "flat-1", "--remove")).out).toContain(
      "The configuration is gone",
    );
    expect((await molva("object", "archive", "flat-1")).out).toBe("Студия на Соколе is archived.");
    expect((await molva("object", "restore", "flat-1")).out).toBe("Студия на Соколе is back.");
  });

  it("publish by hand, cancel, and send a test message within the limiter", async () => {
    const planned = await molva("account", "publish", "flat-1", "Анна", "@arenda_centr");
    expect(planned.out).toMatch(/^1 task, at .*\nThe account is warming up: up to 14 messages today/);
    expect((await molva("account", "publish", "flat-1", "Анна", "@arenda_centr")).err).toContain(
      "planned already",
    );
    expect((await molva("account", "cancel", "--account", "Анна")).out).toBe("1 task was called off.");
    expect((await molva("account", "cancel")).err).toContain("Say which tasks");
    await molva("account", "publish", "flat-1", "Анна", "@arenda_centr");
    const printed = (await molva("account", "queue", "--status", "pending")).out.match(
      /^[0-9a-f]{8}-[0-9a-f-]+/m,
    )?.[0];
    expect(printed?.length).toBeLessThan(36);
    expect((await molva("account", "cancel", printed ?? "")).out).toBe("1 task was called off.");
    for (const [typed, said] of [
      ["не-номер", "is not an id"],
      ["01a1e5ca-64d0", "There is no task 01a1e5ca-64d0"],
    ] as const)
      expect((await molva("account", "cancel", typed)).err).toContain(said);
    expect((await molva("account", "deleted", "мимо")).err).toContain("is not an id");
    expect(await molva("account", "timeline", "Анна", "--day", "вчера")).toMatchObject({ code: 2 });
    expect((await molva("account", "test", "Анна", "@arenda_centr", "Проверка")).out).toContain(
      "It is there: message",
    );
    const soon = await molva("account", "test", "Анна", "@arenda_centr");
    expect(soon).toMatchObject({ code: 1 });
    expect(soon.err).toContain("s to wait");
    expect((await molva("account", "rate", "Анна")).out).toMatch(/can_send +false/);
    expect((await molva("account", "history")).out).toBe("Nothing was published.");
  });

  it("change an account within its bounds, and switch it off and on", async () => {
    expect((await molva("account", "set", "Анна", "mode=fix", "fix_interval_minutes=30")).out).toMatch(
      /interval_minutes +30/,
    );
    expect(await molva("account", "set", "Анна", "fix_interval_minutes=0")).toMatchObject({ code: 2 });
    await molva("account", "publish", "flat-1", "Анна", "@arenda_centr");
    await molva("account", "set", "Анна", "is_active=false");
    expect((await molva("account", "status")).out).toMatch(/waits +The account is off.*новое время/);
    expect((await molva("account", "status")).out).not.toMatch(/next |free until/);
    expect((await molva("account", "queue")).out).toMatch(/when it is on +pending .*its account is off/);
    expect((await molva("object", "life", "flat-1")).out).toContain("On hold: the account is off");
    expect((await molva("account", "list")).out).toContain("off: switched_off");
    expect((await molva("account", "reactivate", "Анна")).out).toContain("publishes again: 0 tasks go on");
    expect((await molva("account", "pace", "Анна", "seasoned=true")).out).toContain(
      "bans accounts that suddenly send",
    );
    await molva("account", "pace", "Анна", "seasoned=null");
    await molva("account", "cancel", "--account", "Анна");
    expect((await molva("account", "show", "нет такого")).err).toContain("There is no account нет такого");
  });

  it("make a list and a join task, and steer it", async () => {
    const links = file("links.txt", "Список\nhttps://t.me/arenda_yug\n");
    const made = await molva("account", "chats-list", "add", "Юг", "--file", links);
    expect(made.out).toBe("Юг: 1 chat.\n  line 1 is no link to a chat: Список");
    expect((await molva("account", "chats-list", "show", "Юг")).out).toBe("https://t.me/arenda_yug");
    expect((await molva("account", "join", "start", "Анна", "Юг", "--mode", "aggressive")).out).toBe(
      "1 chat to join, about 3 min.",
    );
    const [task] = (await json("account", "join", "list")).items;
    expect((await molva("account", "join", "pause", task.id.slice(0, 18))).out).toBe(
      "The task is paused; 1 chat remains.",
    );
    expect((await molva("account", "join", "show", task.id)).out).toContain("waiting");
    expect((await molva("account", "join", "retry", task.id)).err).toContain("cannot be tried again");
    await molva("account", "join", "cancel", task.id);
    expect(
      (await molva("account", "chats-list", "delete", "Юг", "--reason", "не нужен", "--dry-run")).out,
    ).toContain("Would delete");
    expect((await molva("account", "chats-list", "delete", "Юг", "--reason", "не нужен")).out).toBe(
      "Deleted Юг.",
    );
  });

  it("reset stuck tasks, change settings, and let a bot publish into its channel", async () => {
    expect((await molva("account", "pace", "Анна", "start_per_day=40")).out).toContain('"start_per_day":40');
    expect((await molva("account", "stuck")).out).toBe("Nothing is stuck.");
    expect((await molva("account", "stuck", "--reset")).out).toBe(
      "0 tasks were stuck: 0 wait again, 0 are out of tries.",
    );
    const set = await molva(
      "account",
      "settings",
      'districts={"Сокол": "САО"}',
      'account_rate_limit={"enabled": false}',
    );
    expect(set.out).toContain('{"Сокол":"САО"}');
    const everything = await aChannel(database.sql, records.workspaceId, { title: "Всё подряд" });
    expect((await molva("account", "chat", "bot", everything)).err).toContain("The channel takes every post");
    const flats = await aChannel(database.sql, records.workspaceId, {
      title: "Студии",
      route_filter: { include_any: ["objects"] },
    });
    expect((await molva("account", "chat", "bot", flats, '{"room_types": ["студия"]}')).out).toMatch(
      /owner_type +bot/,
    );
    const through = await molva("object", "autopublish", "flat-1", "--bots", "on", "--on", "on");
    expect(through.out).toContain("Through bots: 1 chat,");
    expect((await molva("account", "queue", "--type", "bot")).out).toContain("(a bot)");
  });

  it("delete an account with a reason, after a rehearsal", async () => {
    expect((await molva("account", "delete", "Анна")).code).toBe(2);
    expect((await molva("account", "delete", "Анна", "--reason", "продана", "--dry-run")).out).toContain(
      "Would delete Анна",
    );
    expect((await molva("account", "delete", "Анна", "--reason", "продана")).out).toContain("Deleted Анна.");
    expect((await molva("account", "list")).out).toContain("No accounts.");
  });
});
