import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { checkBooks } from "../../billing/index.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey, parseFernetKey } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { createTokens } from "../../workspaces/index.ts";
import { allSchedules } from "../schedules/schedules.ts";
import { readSettings } from "../settings/settings.ts";
import { WrongKey } from "./bring-connections.ts";
import { type ImportReport, importOld } from "./import-old.ts";
import { readCsv } from "./read-csv.ts";
import { fromDatabase, fromFolder, type OldSource } from "./source.ts";
import { switchOnImported, waitingSchedules } from "./switch-on.ts";
import { fillOldDatabase, oldKeyText, sealed } from "./testing/old-database.ts";

const people = 1_000;
const key = parseFernetKey(oldKeyText);
const vault = createVault([generateKey()]);
const home = tempFolder("seo-import");

let old: TestDatabase;
let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  old = await testDatabase({ empty: true, max: 2 });
  await fillOldDatabase(old.sql, people);
  database = await databaseWithJobs();
  sql = database.sql;
});
afterAll(async () => {
  await old?.drop();
  await database?.drop();
});

const deps = () => ({ sql, clock: systemClock, vault, admins: [5001] });
const from = (source: OldSource, workspaceId: string, given: { dryRun?: boolean; key?: typeof key } = {}) =>
  importOld(deps(), { workspaceId, source, key, ...given });
const imported = (workspaceId: string, given: { dryRun?: boolean; key?: typeof key } = {}) =>
  fromDatabase(old.url, (source) => from(source, workspaceId, given));
const table = ({ tables }: ImportReport, name: string) => tables.find((each) => each.table === name);
const booksOf = async (workspaceId: string) =>
  (await checkBooks(sql, workspaceId, systemClock.now())).findings;
const seoRows = async (workspaceId: string) => {
  const [row] = await sql<[{ rows: number }]>`
    select (select count(*) from seo.users where workspace_id = ${workspaceId})::int
      + (select count(*) from seo.projects where workspace_id = ${workspaceId})::int
      + (select count(*) from billing.transfers where workspace_id = ${workspaceId})::int as rows`;
  return row.rows;
};

describe("a database of a thousand people", () => {
  let workspaceId: string;
  beforeAll(async () => {
    workspaceId = await aWorkspace(sql);
  });

  // covers seo: F04; F15
  it("comes with its ids, and adds up", async () => {
    const report = await imported(workspaceId);
    expect(report.tables.filter(({ left_out }) => left_out > 0)).toEqual([
      // A purchase is told by its payment.
      { table: "token_expenses", found: 4_500, came: 4_000, already: 0, left_out: 500 },
      { table: "prompt_versions", found: 1, came: 0, already: 0, left_out: 1 },
    ]);
    expect(table(report, "users")).toMatchObject({ found: people, came: people });
    expect(report.money).toEqual({
      people,
      tokens: people * 1_000 + (people * (people + 1)) / 2 + 10 * 320,
      returned: 10 * 320,
    });
    expect(report.notes.filter(({ kind }) => kind === "changed")).toHaveLength(people / 50);

    const [person] =
      await sql`select * from seo.users_with_balance where workspace_id = ${workspaceId} and id = 5006`;
    expect(person).toMatchObject({ balance: 1_006, referrer_id: 5_007, role: "user" });
    expect(person?.created_at).toEqual(
      new Date((await old.sql`select created_at from users where id = 5006`)[0]?.created_at),
    );
    const found = await booksOf(workspaceId);
    expect(found).toEqual([]);
    const [log] =
      await sql`select content_hash::text as hash from seo.publication_logs where workspace_id = ${workspaceId} and id = 7`;
    expect(log?.hash).toBe("9223372036854775800");
    const [next] = await sql`
      insert into seo.projects (workspace_id, user_id, name, company_name, specialization)
      values (${workspaceId}, 5001, 'Новый', 'Дубрава', 'кухни на заказ') returning id`;
    expect(next?.id).toBeGreaterThan(people);
  }, 300_000);

  it("changes nothing when it is imported again, and brings what was corrected", async () => {
    const before = await seoRows(workspaceId);
    const report = await imported(workspaceId);
    expect(await seoRows(workspaceId)).toBe(before);
    expect(report.tables.every(({ came }) => came === 0)).toBe(true);
    expect(report.money).toEqual({ people: 0, tokens: 0, returned: 0 });
  }, 300_000);

  it("has channels of the delivery engine with the accounts under our key, and settings of projects in their categories", async () => {
    const connections = await sql<{ status: string; platform: string; target: string; count: number }[]>`
      select c.status, d.platform, count(*)::int as count
      from seo.platform_connections c join delivery.channels d on d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
      where c.workspace_id = ${workspaceId} and d.addressed_only and d.owner_product = 'seo' and d.connection_key = c.id::text
      group by 1, 2 order by 2`;
    expect(connections).toEqual([
      { status: "active", platform: "telegram", count: people / 5 },
      { status: "active", platform: "wordpress", count: people / 5 },
    ]);
    const [site] =
      await sql`select metadata, identifier from seo.platform_connections where workspace_id = ${workspaceId} and id = 1`;
    expect(site).toEqual({
      metadata: { categories: ["Блог"], robots: "index, follow" },
      identifier: "shop5.example",
    });
    const [binding] = await sql<[{ secret_ref: string }]>`
      select secret_ref from workspaces.credential_bindings where workspace_id = ${workspaceId} and auth_ref = 'seo-1'`;
    const secret = await createTokens(sql, vault, { valueOf: () => undefined }).token(
      workspaceId,
      binding.secret_ref,
    );
    expect(JSON.parse(String(secret))).toEqual({
      url: "https://shop.example",
      login: "anna",
      app_password: "abcdefghijklmnopqrstuvwx",
    });
    const settings = await readSettings(sql, { workspaceId, userId: 5_010 }, 10, "telegram");
    expect(settings).toMatchObject({
      text: { words_min: 120 },
      text_from: "platform",
      image: { count: 2 },
      image_from: "category",
    });
  });

  it("keeps its schedules off until the old ones are deleted, then switches on once what was on", async () => {
    const [on] =
      await sql`select count(*)::int as count from seo.platform_schedules where workspace_id = ${workspaceId} and enabled`;
    expect(on?.count).toBe(0);
    const waiting = await waitingSchedules(sql, workspaceId);
    expect(waiting).toHaveLength(people / 50);
    expect(waiting[0]).toMatchObject({ category_id: 50, ready: true, old_ids: ["scd_50"] });
    expect(await switchOnImported(deps(), workspaceId, { operator: "admin" })).toHaveLength(people / 50);
    await sql`update seo.platform_schedules set enabled = false where workspace_id = ${workspaceId} and category_id = 50`;
    expect(await switchOnImported(deps(), workspaceId, { operator: "admin" })).toEqual([]);
  });
});

describe("a folder of CSV files", () => {
  const header = "id,user_id,name,company_name,specialization,timezone";
  async function folder(name: string, files: Readonly<Record<string, string>>): Promise<OldSource> {
    const path = join(home, name);
    await mkdir(path, { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(path, `${file}.csv`), text);
    return fromFolder(path);
  }

  it("is rehearsed without a trace and comes like a database; a row that cannot come is named with the way out, and takes only its own with it", async () => {
    const workspaceId = await aWorkspace(sql);
    const users =
      'id,first_name,balance,referrer_id,notify_news\n71,Анна,-40,,t\n72,"Борис ""Бо""",500,71,f\n';
    const projects = `${header}\n1,71,Мебель,Дубрава,кухни на заказ,Europe/Moscow\n2,72,К,Дубрава,кухни на заказ,\n3,99,Чужой,Дубрава,кухни на заказ,\n`;
    const categories = 'id,project_id,name,keywords\n1,1,Кухни,"[{""phrase"": ""кухня""}]"\n2,2,Столы,[]\n';
    const source = await folder("bad", { users, projects, categories });
    const rehearsed = await from(source, workspaceId, { dryRun: true });
    expect(await seoRows(workspaceId)).toBe(0);
    const report = await from(source, workspaceId);
    expect({ ...report, dry_run: true }).toEqual(rehearsed);
    expect(report.notes.map(({ table: name, id, why }) => [name, id, why])).toEqual([
      ["projects", 3, "it belongs to users 99, which did not come"],
      ["projects", 2, expect.stringContaining("it breaks the rule CHECK")],
      ["categories", 2, "it belongs to projects 2, which did not come"],
    ]);
    expect(report.notes[1]?.way_out).toBe("correct it in the old database and run the import again");
    const corrected = await folder("good", {
      users,
      projects: projects.replace("72,К,", "72,Ключ,"),
      categories,
    });
    expect(table(await from(corrected, workspaceId), "projects")).toMatchObject({
      came: 1,
      already: 1,
      left_out: 1,
    });
    const rows = await sql`
      select id, balance, first_name, notify_news from seo.users_with_balance where workspace_id = ${workspaceId} order by id`;
    expect(rows).toMatchObject([
      { id: 71, balance: -40, notify_news: true },
      { id: 72, balance: 500, first_name: 'Борис "Бо"', notify_news: false },
    ]);
    expect(await booksOf(workspaceId)).toEqual([]);
  });

  it("brings the networks to which a schedule's posts are adapted", async () => {
    const workspaceId = await aWorkspace(sql);
    const quoted = (token: string) => `"${token.replaceAll('"', '""')}"`;
    const channel = quoted(sealed({ channel_id: "-1002", bot_token: `123456:${"A".repeat(35)}` }));
    const wall = quoted(sealed({ access_token: "vk1.a.token", group_id: "-77" }));
    const source = await folder("cross", {
      users: "id,first_name,balance\n91,Анна,100\n",
      projects: `${header}\n1,91,Мебель,Дубрава,кухни на заказ,Europe/Moscow\n`,
      categories: "id,project_id,name\n1,1,Кухни\n",
      platform_connections: `id,project_id,platform_type,credentials,identifier\n7,1,telegram,${channel},-1002000000091\n8,1,vk,${wall},77\n`,
      platform_schedules:
        'id,category_id,platform_type,connection_id,schedule_days,schedule_times,enabled,cross_post_connection_ids\n3,1,telegram,7,"{mon,wed}",{10:00},t,{8}\n',
    });
    await from(source, workspaceId);
    expect(await allSchedules(sql, { workspaceId, userId: 91 })).toMatchObject([
      {
        ...{ id: 3, connection_id: 7, days: ["mon", "wed"], times: ["10:00"], enabled: false },
        cross_post_connection_ids: [8],
      },
    ]);
  });

  it("adds the old balance to what somebody has who wrote to the bot before", async () => {
    const workspaceId = await aWorkspace(sql);
    await sql`select seo.meet_user(${workspaceId}, 81, null, 'Вера', null, null, null, false)`;
    const report = await from(
      await folder("met", { users: "id,first_name,balance\n81,Вероника,-2000\n" }),
      workspaceId,
    );
    expect(report.notes).toMatchObject([{ table: "users", id: 81, kind: "changed" }]);
    const [person] =
      await sql`select first_name, balance from seo.users_with_balance where workspace_id = ${workspaceId}`;
    expect(person).toEqual({ first_name: "Вера", balance: -500 });
    expect(await booksOf(workspaceId)).toEqual([]);
  });

  it("is refused as a whole if the old key opens nothing, or there are no people in it", async () => {
    const workspaceId = await aWorkspace(sql);
    await expect(imported(workspaceId, { key: parseFernetKey(generateKey()) })).rejects.toThrow(WrongKey);
    expect(await seoRows(workspaceId)).toBe(0);
    await expect(from(await folder("empty", {}), workspaceId)).rejects.toThrow("There is no table users");
  });

  it("tells nothing from an empty text, and refuses an open quote", () => {
    expect(readCsv('a,b\r\n,""\n"x\ny","p,""q"""\n')).toEqual([
      { a: null, b: "" },
      { a: "x\ny", b: 'p,"q"' },
    ]);
    expect(() => readCsv('a\n"open\n')).toThrow("a quote that does not belong there");
    expect(() => readCsv("a,b\n1\n")).toThrow("row 2 has 1 fields, the first one 2");
  });
});
