import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "../errors/index.ts";
import { paths } from "../paths/index.ts";
import type { Sql } from "./connect.ts";
import { applyFunctionFiles, type FunctionFile } from "./function-files.ts";

/** The SQL of this release: migrations run once in order, functions are applied again when their text changes. */
export interface MigrationSources {
  readonly migrations: readonly Migration[];
  readonly functions: readonly FunctionFile[];
}

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

export interface MigrationReport {
  readonly applied: readonly string[];
  readonly functions: readonly string[];
  /** Functions and triggers that no file of this release creates any more. */
  readonly dropped: readonly string[];
}

export interface MigrationStatus {
  readonly applied: readonly { number: number; name: string; appliedAt: Date }[];
  readonly pending: readonly string[];
  readonly changedFunctions: readonly string[];
  /** Set when this release must not touch the database, with the reason and the way out. */
  readonly refusal?: string;
}

/** The database and this release do not fit together; the message says how to get out. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/** Any constant, as long as every process of every release uses the same one. */
export const migrationLock = 7_263_518_204;
const oldestServer = 150_000;

export async function readMigrationSources(
  folders: { migrations: string; functions: string } = paths,
): Promise<MigrationSources> {
  const names = (await readdir(folders.migrations)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const number = Number.parseInt(name, 10);
      if (!Number.isInteger(number))
        throw new Error(`${name}: a migration's file name starts with its number`);
      return { number, name: basename(name, ".sql"), ...(await readSql(join(folders.migrations, name))) };
    }),
  );
  for (const [index, migration] of migrations.entries()) {
    if (migration.number === migrations[index + 1]?.number)
      throw new Error(`two migrations carry the number ${migration.number}`);
  }
  const files = (await readdir(folders.functions, { recursive: true })).filter((name) =>
    name.endsWith(".sql"),
  );
  const functions = await Promise.all(
    files.sort(byName).map(async (path) => ({ path, ...(await readSql(join(folders.functions, path))) })),
  );
  return { migrations, functions };
}

/** A trigger's function must exist before it, so the files of triggers come last. */
function byName(one: string, other: string): number {
  const isLate = (path: string) => Number(path.endsWith("_triggers.sql"));
  return isLate(one) - isLate(other) || (one < other ? -1 : 1);
}

/** Brings the database to this release. Of two processes that start together, the second waits and finds nothing to do. */
export async function migrate(sql: Sql, sources: MigrationSources): Promise<MigrationReport> {
  const connection = await sql.reserve();
  try {
    await refuseOldServer(connection);
    await connection`select pg_advisory_lock(${migrationLock})`;
    try {
      const books = await readBooks(connection);
      const refusal = refusalFor(sources, books);
      if (refusal) throw new SchemaError(refusal);

      await createBooks(connection);
      const pending = pendingMigrations(sources, books);
      for (const migration of pending) await applyMigration(connection, migration);
      const changed = changedFunctions(sources, books);
      const dropped = await inTransaction(connection, () =>
        applyFunctionFiles(
          connection,
          changed,
          sources.functions.map(({ path }) => path),
        ),
      );
      return {
        applied: pending.map(({ name }) => name),
        functions: changed.map(({ path }) => path),
        dropped,
      };
    } finally {
      await connection`select pg_advisory_unlock(${migrationLock})`;
    }
  } finally {
    connection.release();
  }
}

/** What `migrate` would do, without doing it. */
export async function migrationStatus(sql: Sql, sources: MigrationSources): Promise<MigrationStatus> {
  const books = await readBooks(sql);
  const refusal = refusalFor(sources, books);
  return {
    applied: books.migrations.map(({ number, name, applied_at }) => ({
      number,
      name,
      appliedAt: applied_at,
    })),
    pending: pendingMigrations(sources, books).map(({ name }) => name),
    changedFunctions: [
      ...changedFunctions(sources, books).map(({ path }) => path),
      ...goneFunctions(sources, books),
    ],
    ...(refusal ? { refusal } : {}),
  };
}

interface Books {
  migrations: { number: number; name: string; checksum: string; applied_at: Date }[];
  functions: Map<string, string>;
}

type Runner = Pick<Sql, "unsafe"> & Sql;

async function refuseOldServer(sql: Sql): Promise<void> {
  const [row] = await sql<[{ version: number; text: string }]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as text`;
  if (row.version < oldestServer)
    throw new SchemaError(
      `The server is PostgreSQL ${row.text}, but Molva needs 15 or newer: upgrade it, or point DATABASE_URL at a newer one.`,
    );
}

async function createBooks(sql: Runner): Promise<void> {
  await sql.unsafe(`
    create schema if not exists molva;
    create table if not exists molva.migrations (
      number     int primary key,
      name       text not null,
      checksum   text not null,
      applied_at timestamptz not null default now()
    );
    create table if not exists molva.functions (
      path       text primary key,
      checksum   text not null,
      makes      text[] not null default '{}',
      applied_at timestamptz not null default now()
    );
    alter table molva.migrations enable row level security;
    alter table molva.functions enable row level security;
  `);
}

async function readBooks(sql: Sql): Promise<Books> {
  const [exists] = await sql<[{ found: boolean }]>`
    select to_regclass('molva.migrations') is not null as found`;
  if (!exists.found) return { migrations: [], functions: new Map() };
  const migrations = await sql<Books["migrations"]>`
    select number, name, checksum, applied_at from molva.migrations order by number`;
  const functions = await sql<
    { path: string; checksum: string }[]
  >`select path, checksum from molva.functions`;
  return { migrations, functions: new Map(functions.map(({ path, checksum }) => [path, checksum])) };
}

function refusalFor(sources: MigrationSources, books: Books): string | undefined {
  const known = new Map(sources.migrations.map((migration) => [migration.number, migration]));
  for (const { number, name } of books.migrations) {
    const ours = known.get(number)?.name ?? name;
    if (ours !== name)
      return (
        `The database was made before Molva's first release, when migrations were numbered otherwise: its number ${number} is ${name}, this release's is ${ours}. ` +
        "Nothing was changed in it. Start with a new database: point DATABASE_URL at an empty one or, if Molva runs its own PostgreSQL, set MOLVA_HOME to another folder or remove the folder pg inside it."
      );
  }
  const newest = sources.migrations.at(-1)?.number ?? 0;
  const beyond = books.migrations.find(({ number }) => number > newest);
  if (beyond)
    return (
      `The database is newer than this release: it has migration ${beyond.name}, this release ends at number ${newest}. ` +
      "Update Molva, or point DATABASE_URL at another database."
    );
  for (const applied of books.migrations) {
    const source = known.get(applied.number);
    if (!source)
      return `The database has migration ${applied.name}, which this release does not know. Update Molva.`;
    if (source.checksum !== applied.checksum)
      return (
        `Migration ${applied.name} was changed after it had been applied. ` +
        "Restore the file's original text, or start with an empty database."
      );
  }
  return undefined;
}

function pendingMigrations(sources: MigrationSources, books: Books): readonly Migration[] {
  const applied = new Set(books.migrations.map(({ number }) => number));
  return sources.migrations.filter(({ number }) => !applied.has(number));
}

function changedFunctions(sources: MigrationSources, books: Books): readonly FunctionFile[] {
  return sources.functions.filter(({ path, checksum }) => books.functions.get(path) !== checksum);
}

function goneFunctions(sources: MigrationSources, books: Books): readonly string[] {
  const present = new Set(sources.functions.map(({ path }) => path));
  return [...books.functions.keys()].filter((path) => !present.has(path));
}

async function applyMigration(sql: Runner, { number, name, text, checksum }: Migration): Promise<void> {
  await inTransaction(sql, async () => {
    try {
      await sql.unsafe(text);
    } catch (error) {
      throw new Error(`migration ${name} failed: ${messageOf(error)}`, {
        cause: error,
      });
    }
    await sql`insert into molva.migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`;
  });
}

/** A reserved connection has no `begin` of its own in the driver. */
async function inTransaction<T>(sql: Runner, work: () => Promise<T>): Promise<T> {
  await sql`begin`;
  try {
    const result = await work();
    await sql`commit`;
    return result;
  } catch (error) {
    await sql`rollback`;
    throw error;
  }
}

async function readSql(path: string): Promise<{ text: string; checksum: string }> {
  const text = await readFile(path, "utf8");
  return { text, checksum: createHash("sha256").update(text).digest("hex") };
}
