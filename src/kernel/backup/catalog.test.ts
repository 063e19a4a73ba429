import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { readMigrationSources } from "../db/index.ts";
import { leftOut, readOthersTables, readTables, schemasOf, withSession } from "./index.ts";

let database: TestDatabase;
let schemas: readonly string[];

beforeAll(async () => {
  database = await databaseWithJobs();
  schemas = schemasOf((await readMigrationSources()).migrations);
});
afterAll(() => database?.drop());

describe("what is backed up", () => {
  it("is every table of every schema, but for those that are left out with a reason", async () => {
    const all = await database.sql<{ name: string; persistence: string }[]>`
      select format('%I.%I', n.nspname, c.relname) as name, c.relpersistence as persistence
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      order by 1`;
    const backedUp = (await withSession(database.url, (session) => readTables(session, schemas))).map(
      ({ name }) => name,
    );
    expect([...backedUp, ...Object.keys(leftOut)].sort()).toEqual(all.map(({ name }) => name).sort());
    expect(backedUp.length).toBeGreaterThan(100);
    expect(await withSession(database.url, (session) => readOthersTables(session, schemas))).toEqual([]);
    // A crash empties such a table, so nothing that matters may be in it.
    const unlogged = all.filter(({ persistence }) => persistence === "u").map(({ name }) => name);
    expect(Object.keys(leftOut)).toEqual(expect.arrayContaining(unlogged));
    for (const reason of Object.values(leftOut)) expect(reason.length).toBeGreaterThan(20);
  });

  it("is not what others keep in the same database, which is named instead", async () => {
    await database.sql.unsafe(
      `create schema mine; create table mine.notes (a int); create table public.list (a int)`,
    );
    const others = await withSession(database.url, (session) => readOthersTables(session, schemas));
    await database.sql.unsafe(`drop schema mine cascade; drop table public.list`);
    expect(others).toEqual(["mine.notes", "public.list"]);
  });
});
