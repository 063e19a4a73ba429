import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { addWorkspaceCommand } from "../../cli/commands/workspace.ts";
import { runCommand } from "../../cli/testing/run-command.ts";
import {
  type AdminHarness,
  asked,
  everyScope,
  startAdminHarness,
} from "../../delivery/admin/testing/harness.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import type { Scope } from "../../http/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { createStorage, type ObjectStorage } from "../../kernel/storage/index.ts";

let database: TestDatabase;
let harness: AdminHarness;
let admin: Record<string, string>;
let tables: string[];
const home = tempFolder("delete-workspace");

beforeAll(async () => {
  database = await testDatabase();
  harness = await startAdminHarness(database);
  admin = await harness.server.bearer([...everyScope, "people", "payload"]);
  tables = (await database.sql<{ name: string }[]>`select name from workspaces.workspace_tables()`).map(
    ({ name }) => name,
  );
  await liftChecks(database.sql);
});
afterAll(() => harness?.stop());

const call = (method: string, path: string) => asked(harness.server, admin, method, path);

/** The invented rows would fail the checks, which do not matter here. */
async function liftChecks(sql: Sql): Promise<void> {
  const checks = await sql<{ table: string; name: string }[]>`
    select t.name as table, quote_ident(k.conname) as name
    from workspaces.workspace_tables() t
    join pg_constraint k on k.conrelid = t.name::regclass and k.contype = 'c' and k.coninhcount = 0
    where t.name <> 'workspaces.workspaces'`;
  for (const { table, name } of checks) await sql.unsafe(`alter table ${table} drop constraint ${name}`);
}

/** Inserts a row into every table with rows of a workspace, ignoring foreign keys. */
async function fillEveryTable(sql: Sql, workspaceId: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    for (const table of tables.filter((name) => name !== "workspaces.workspaces")) {
      const columns = await tx<{ name: string; value: string }[]>`
        select quote_ident(a.attname) as name, case
            when a.attname = 'workspace_id' then quote_literal(${workspaceId}::text)
            when t.typname = 'uuid' then 'gen_random_uuid()'
            when t.typcategory in ('N') then '1'
            when t.typcategory = 'B' then 'false'
            when t.typcategory = 'A' then quote_literal('{}')
            when t.typname = 'date' then 'current_date'
            when t.typcategory = 'D' then 'now()'
            when t.typcategory = 'T' then quote_literal('1 hour')
            when t.typname = 'bytea' then quote_literal('\\xFF')
            when t.typname in ('json', 'jsonb') then quote_literal('{}')
            else 'gen_random_uuid()::text'
          end as value
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
          and (a.attname = 'workspace_id' or a.attnotnull and not a.atthasdef and a.attidentity = '')`;
      const names = columns.map(({ name }) => name).join(", ");
      const values = columns.map(({ value }) => value).join(", ");
      await tx.unsafe(`insert into ${table} (${names}) values (${values})`);
    }
    // An open hold would make the workspace busy.
    await tx`update billing.holds set state = 'settled', ended_at = now() where workspace_id = ${workspaceId}`;
  });
}

async function rowsIn(sql: Sql, workspaceId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from ${sql(table)} where workspace_id = ${workspaceId}`;
    if (row.count > 0) counts[table] = row.count;
  }
  return counts;
}

const put = (storage: ObjectStorage, key: string) =>
  storage.put(key, Buffer.from("файл"), { contentType: "text/plain" });

async function keysOf(storage: ObjectStorage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list("")) keys.push(key);
  return keys.sort();
}

describe("deleting a workspace", () => {
  // The audit is no table of the workspace: it outlives it until its retention ends (src/workspaces/audit/audit.test.ts).
  it("leaves nothing of it in any table nor in storage, and everything of others", async () => {
    const { sql, storage } = harness;
    const gone = await aWorkspace(sql, { name: "Уходит", status: "disabled" });
    const other = await aWorkspace(sql, { name: "Остаётся" });
    for (const workspaceId of [gone, other]) {
      await fillEveryTable(sql, workspaceId);
      for (const folder of ["media", "payloads", "advisor"]) await put(storage, `${folder}/${workspaceId}/1`);
    }
    // Nobody is charged any more: a workspace with subscriptions is not deleted.
    await sql`update billing.subscriptions set status = 'expired' where workspace_id = ${gone}`;
    expect(Object.keys(await rowsIn(sql, gone)).sort()).toEqual(tables.toSorted());
    const before = await rowsIn(sql, other);

    await exportOf(gone);
    const query = new URLSearchParams({ name: "Уходит", reason: "закрыли магазин" });
    expect((await call("DELETE", `/workspaces/${gone}?${query}`)).status).toBe(204);
    expect(await rowsIn(sql, gone)).toEqual({});
    expect(await rowsIn(sql, other)).toEqual(before);
    expect(await keysOf(storage)).toEqual([`advisor/${other}/1`, `media/${other}/1`, `payloads/${other}/1`]);
    expect((await call("GET", `/workspaces/${gone}`)).status).toBe(404);
  });

  it("asks for its name, that it is disabled and that it was exported; a rehearsal deletes nothing", async () => {
    const id = await aWorkspace(harness.sql, { name: "Магазин" });
    const remove = (name: string, more = "") =>
      call("DELETE", `/workspaces/${id}?${new URLSearchParams({ name, reason: "закрыли" })}${more}`);
    expect(await remove("магазин")).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/name/) },
    });
    expect(await remove("Магазин")).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("Disable") },
    });
    await harness.sql`update workspaces.workspaces set status = 'disabled' where workspace_id = ${id}`;
    expect(await remove("Магазин")).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("Export") },
    });
    await exportOf(id);
    expect((await remove("Магазин", "&dry_run=true")).status).toBe(204);
    expect((await call("GET", `/workspaces/${id}`)).status).toBe(200);
    const bound = await harness.server.bearer(everyScope, id);
    expect((await asked(harness.server, bound, "DELETE", `/workspaces/${id}?name=a&reason=abc`)).status).toBe(
      403,
    );
    const writer = await harness.server.bearer(["read", "write", "operate"]);
    expect(
      (await asked(harness.server, writer, "DELETE", `/workspaces/${id}?name=a&reason=abc`)).status,
    ).toBe(403);
    expect((await remove("Магазин")).status).toBe(204);
  });

  it("never cuts off what is being sent", async () => {
    const id = await aWorkspace(harness.sql, { name: "В пути", status: "disabled" });
    await fillEveryTable(harness.sql, id);
    await harness.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update delivery.deliveries set status = 'sending' where workspace_id = ${id}`;
    });
    await exportOf(id);
    const query = new URLSearchParams({ name: "В пути", reason: "закрыли" });
    expect(await call("DELETE", `/workspaces/${id}?${query}`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("being sent") },
    });
  });
});

const why = new URLSearchParams({ reason: "переезжаем" });

async function exportOf(workspaceId: string): Promise<{ table?: string; row?: object; rows?: number }[]> {
  const answer = await harness.server.call(`/api/v1/workspaces/${workspaceId}/export?${why}`, {
    headers: admin,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("application/x-ndjson");
  const lines = (await answer.text()).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

describe("the export of a workspace", () => {
  it("has a line for each row of every table, and nothing that is secret", async () => {
    const id = await aWorkspace(harness.sql, { name: "Выгрузка" });
    await fillEveryTable(harness.sql, id);
    const lines = await exportOf(id);
    const exported = new Set(lines.map(({ table }) => table));
    const secret = [
      "accounts.proxies",
      "accounts.session_leases",
      "accounts.session_values",
      "workspaces.secrets",
    ];
    expect(tables.filter((table) => !exported.has(table)).sort()).toEqual(secret);
    expect(lines.at(-1)).toEqual({ rows: lines.length - 1 });
    expect(JSON.stringify(lines)).not.toMatch(
      /"(ciphertext|secret_hash|token_sha256|code_hash|claim_token)"/,
    );
  });
});

describe("the export of a workspace, which holds people and what was posted,", () => {
  const exportAs = async (scopes: readonly Scope[], query: string, id: string) =>
    asked(harness.server, await harness.server.bearer(scopes, id), "GET", `/workspaces/${id}/export${query}`);

  it.each([
    ["people", ["admin"]],
    ["people", ["admin", "payload"]],
    ["payload", ["admin", "people"]],
    ["admin", ["people", "payload", "read"]],
  ] as const)("needs the scope %s beside %j", async (missing, held) => {
    const id = await aWorkspace(harness.sql, { name: "Чужие глаза" });
    expect(await exportAs(held, `?${why}`, id)).toMatchObject({
      status: 403,
      body: { code: "scope_missing", detail: expect.stringContaining(`"${missing}"`) },
    });
    expect(await notedOf(id)).toEqual([]);
  });

  it("needs a reason, which the audit keeps", async () => {
    const id = await aWorkspace(harness.sql, { name: "С причиной" });
    const all = ["admin", "people", "payload"] as const;
    for (const query of ["", "?reason=", "?reason=ab"])
      expect(await exportAs(all, query, id)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: "/reason" }] },
      });
    const headers = await harness.server.bearer(all, id);
    const answer = await harness.server.call(`/api/v1/workspaces/${id}/export?${why}`, { headers });
    expect([answer.status, (await answer.text()).includes("С причиной")]).toEqual([200, true]);
    expect(await notedOf(id)).toMatchObject([{ actor_kind: "token", meta: { reason: "переезжаем" } }]);
  });

  const notedOf = (id: string) => harness.sql`
    select actor_kind, meta from audit.entries where chain_id = ${id} and action = 'workspace.exported'`;
});

it("molva workspace export asks for a reason, too, and the audit keeps it", async () => {
  const id = await aWorkspace(harness.sql, { name: "На диск" });
  const file = join(tempFolder("export-workspace"), "to-disk.ndjson");
  const molva = (...more: string[]) =>
    runCommand(addWorkspaceCommand, ["workspace", "export", id, file, ...more], {
      ...{ MOLVA_HOME: home, DATABASE_URL: database.url },
    });
  expect((await molva()).code).toBe(2);
  expect((await molva("--reason", "переезжаем")).code).toBe(0);
  expect(await readFile(file, "utf8")).toContain("На диск");
  expect(
    await harness.sql`select meta ->> 'reason' as why from audit.entries where chain_id = ${id}`,
  ).toEqual([{ why: "переезжаем" }]);
});

describe("molva workspace delete", () => {
  const molva = (args: string[], typed?: string) =>
    runCommand(
      addWorkspaceCommand,
      ["workspace", ...args],
      { MOLVA_HOME: home, DATABASE_URL: database.url },
      undefined,
      async () => typed,
    );

  it("exports first, asks for the name, and deletes with its files", async () => {
    const id = await aWorkspace(harness.sql, { name: "Из терминала" });
    const media = createStorage({
      folder: join(home, "media"),
      urlBase: "http://127.0.0.1",
      secret: "s",
      clock: systemClock,
    });
    await put(media, `media/${id}/1`);
    const file = join(home, "export.ndjson");
    const asks = ["delete", id, "--reason", "закрыли", "--export", file];
    expect(await molva(asks, "Из терминала")).toMatchObject({
      code: 1,
      err: expect.stringContaining("molva workspace disable"),
    });
    await harness.sql`update workspaces.workspaces set status = 'disabled' where workspace_id = ${id}`;
    expect(await molva(asks, "другое имя")).toMatchObject({
      code: 1,
      err: expect.stringContaining("nothing was deleted"),
    });
    expect(await readFile(file, "utf8")).toContain("Из терминала");
    expect(await molva(asks, "Из терминала")).toMatchObject({ code: 2, err: expect.stringContaining(file) });
    const again = ["delete", id, "--reason", "закрыли", "--export", `${file}.2`];
    expect((await molva(again)).code).toBe(2);
    const third = ["delete", id, "--reason", "закрыли", "--export", `${file}.3`];
    expect(await molva(third, "Из терминала")).toMatchObject({
      code: 0,
      out: "Deleted Из терминала with everything of it.",
    });
    expect(await rowsIn(harness.sql, id)).toEqual({});
    expect(await keysOf(media)).toEqual([]);
    await media.close();
  });

  it("takes the right name after a mistyped one: the file of the first try is not in the way", async () => {
    vi.spyOn(process, "cwd").mockReturnValue(tempFolder("delete-workspace-here"));
    const id = await aWorkspace(harness.sql, { name: "Со второго раза" });
    await harness.sql`update workspaces.workspaces set status = 'disabled' where workspace_id = ${id}`;
    const asks = ["delete", id, "--reason", "закрыли"];
    expect((await molva(asks, "Со второго")).code).toBe(1);
    expect((await molva(asks, "Со второго раза")).code).toBe(0);
    vi.restoreAllMocks();
  });
});
