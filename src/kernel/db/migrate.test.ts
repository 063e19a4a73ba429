import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { connect, dumpSchema, migrate, migrationStatus, readMigrationSources, SchemaError } from "./index.ts";

let database: TestDatabase;
let folders: { migrations: string; functions: string };

beforeAll(async () => {
  database = await testDatabase({ empty: true });
});
afterAll(() => database.drop());

beforeEach(async () => {
  await database.sql.unsafe("drop schema if exists molva cascade; drop schema if exists shop cascade");
  folders = { migrations: await newFolder(), functions: await newFolder() };
  await write("migrations", "0001_shop.sql", "create schema shop; create table shop.goods (name text);");
  await write(
    "functions",
    "greet.sql",
    "create or replace function shop.greet() returns text language sql return 'привет';",
  );
});

const newFolder = () => mkdtemp(join(tmpdir(), "molva-migrate-"));
const write = (kind: "migrations" | "functions", name: string, text: string) =>
  writeFile(join(folders[kind], name), text);
const run = async () => migrate(database.sql, await readMigrationSources(folders));

it("runs numbered files once and functions when their text changes", async () => {
  expect(await run()).toEqual({ applied: ["0001_shop"], functions: ["greet.sql"], dropped: [] });
  expect(await run()).toEqual({ applied: [], functions: [], dropped: [] });

  await write(
    "functions",
    "greet.sql",
    "create or replace function shop.greet() returns text language sql return 'пока';",
  );
  await write("migrations", "0002_price.sql", "alter table shop.goods add price int;");
  expect(await run()).toEqual({ applied: ["0002_price"], functions: ["greet.sql"], dropped: [] });
  expect(await database.sql`select shop.greet()`).toEqual([{ greet: "пока" }]);
});

it("replaces functions that answer something else now, or call their arguments otherwise", async () => {
  const functionsWith = (answer: string, argument: string) => `
    create or replace function shop.price() returns table (${answer} int) language sql as $$ select 1 $$;
    create or replace function shop.twice(${argument} int) returns int language sql as $$ select 2 * ${argument} $$;`;
  await write("functions", "prices.sql", functionsWith("roubles", "p_one"));
  await run();
  await write("functions", "prices.sql", functionsWith("kopecks", "p_price"));
  expect(await run()).toEqual({ applied: [], functions: ["prices.sql"], dropped: [] });
  expect(await database.sql`select * from shop.price(), shop.twice(p_price => 21)`).toEqual([
    { kopecks: 1, twice: 42 },
  ]);
});

describe("a release that changes, moves and removes functions", () => {
  const first = {
    "price.sql":
      "create or replace function shop.price(p_name text) returns int language sql as $$ select 1 $$;",
    "stock.sql": `
      create or replace function shop.stock() returns bigint language sql as $$ select count(*) from shop.goods $$;
      create or replace function shop.check_goods() returns trigger language plpgsql as $$ begin return new; end $$;
      create or replace trigger check_goods before insert on shop.goods for each row execute function shop.check_goods();`,
    // The database knows that one of these needs the other.
    "old.sql": `
      create or replace function shop.older() returns int language sql return 1;
      create or replace function shop.oldest() returns int language sql return shop.older();`,
  };
  const second = {
    "price.sql": `
      create or replace function shop.price(p_name text, p_day date default null) returns int language sql as $$ select 2 $$;`,
    "stock/count.sql":
      "create or replace function shop.stock() returns bigint language sql as $$ select count(*) from shop.goods $$;",
  };

  async function release(files: Record<string, string>) {
    const functions = await newFolder();
    await mkdir(join(functions, "stock"));
    for (const [path, text] of Object.entries(files)) await writeFile(join(functions, path), text);
    return readMigrationSources({ ...folders, functions });
  }

  it("leaves the database that a new one would be, and says what it dropped", async () => {
    await migrate(database.sql, await release(first));
    const { dropped } = await migrate(database.sql, await release(second));
    expect(dropped).toEqual([
      "function shop.check_goods()",
      "function shop.older()",
      "function shop.oldest()",
      "function shop.price(text)",
      "trigger check_goods on shop.goods",
    ]);
    const fresh = await testDatabase({ empty: true, max: 1 });
    await migrate(fresh.sql, await release(second));
    expect(await dumpSchema(database.sql)).toBe(await dumpSchema(fresh.sql));
    await fresh.drop();
  });

  it("is told by the status before it is there", async () => {
    await migrate(database.sql, await release(second));
    const { changedFunctions } = await migrationStatus(database.sql, await release({}));
    expect(changedFunctions.toSorted()).toEqual(["price.sql", "stock/count.sql"]);
  });

  it("keeps functions that no file ever made", async () => {
    await migrate(database.sql, await release(first));
    await database.sql.unsafe("create function shop.mine() returns int language sql return 7");
    await migrate(database.sql, await release({}));
    expect(await database.sql`select shop.mine()`).toEqual([{ mine: 7 }]);
  });

  it("changes nothing at all when something still needs what it would drop", async () => {
    await migrate(database.sql, await release(first));
    await database.sql.unsafe("create view shop.prices as select shop.price(name) from shop.goods");
    const before = await dumpSchema(database.sql);
    await expect(release(second).then((sources) => migrate(database.sql, sources))).rejects.toThrow(
      /dropping what no function file makes any more failed: .*shop.price\(text\)/,
    );
    expect(await dumpSchema(database.sql)).toBe(before);
  });
});

it("leaves nothing behind of a migration that fails, and says which one it was", async () => {
  await write("migrations", "0002_broken.sql", "alter table shop.goods add price int; select 1/0;");
  await expect(run()).rejects.toThrow("migration 0002_broken failed: division by zero");
  const status = await migrationStatus(database.sql, await readMigrationSources(folders));
  expect(status.applied.map(({ name }) => name)).toEqual(["0001_shop"]);
  expect(status.pending).toEqual(["0002_broken"]);
});

it("refuses a database that a newer release has migrated", async () => {
  await run();
  await database.sql`insert into molva.migrations (number, name, checksum) values (9, '0009_future', 'x')`;
  await expect(run()).rejects.toThrow(SchemaError);
  await expect(run()).rejects.toThrow(/newer than this release.*0009_future.*Update Molva/);
});

it("refuses a migration whose text changed after it was applied", async () => {
  await run();
  await write("migrations", "0001_shop.sql", "create schema shop;");
  await expect(run()).rejects.toThrow(/0001_shop was changed after it had been applied/);
});

it("refuses a database from before the first release, touches nothing in it and says the way out", async () => {
  await database.sql.unsafe(`
    create schema molva;
    create table molva.migrations (number int primary key, name text, checksum text, applied_at timestamptz default now());
    create table molva.functions (path text primary key, checksum text, applied_at timestamptz default now());
    insert into molva.migrations (number, name, checksum) values (1, '0001_kernel', 'x'), (46, '0046_media', 'y')`);
  const before = await dumpSchema(database.sql);
  await expect(run()).rejects.toThrow(SchemaError);
  await expect(run()).rejects.toThrow(
    /before Molva's first release.*0001_kernel.*0001_shop.*Nothing was changed.*DATABASE_URL.*MOLVA_HOME.*folder pg/,
  );
  expect(await dumpSchema(database.sql)).toBe(before);
  const { refusal } = await migrationStatus(database.sql, await readMigrationSources(folders));
  expect(refusal).toMatch(/before Molva's first release/);
});

it("lets several starters race and does the work once", async () => {
  const sources = await readMigrationSources(folders);
  const pools = Array.from({ length: 4 }, () => connect({ url: database.url, max: 1 }));
  const reports = await Promise.all(pools.map((sql) => migrate(sql, sources)));
  expect(reports.flatMap(({ applied }) => applied)).toEqual(["0001_shop"]);
  await Promise.all(pools.map((sql) => sql.end()));
});

it("refuses two migrations with one number", async () => {
  await write("migrations", "0001_twin.sql", "select 1");
  await expect(readMigrationSources(folders)).rejects.toThrow("two migrations carry the number 1");
});
