/**
 * The database as text: what migrations and functions make, written from the catalogs, because the embedded server
 * comes without pg_dump. Owners, grants and rows are not in it, nor are range partitions, which are made at run time.
 */
import type { Sql, Transaction } from "./connect.ts";
import { readComments, readNeeds } from "./dump/belongings.ts";
import { inOrder } from "./dump/order.ts";
import { readOthers } from "./dump/others.ts";
import { ourSchemas, type Written } from "./dump/part.ts";
import { refuseUnwritable } from "./dump/refuse-unwritable.ts";
import { addForeignKey, type ForeignKey, readTables, type Table, tableText } from "./dump/tables.ts";

/** The same text for the same schema, pleasant to read, and runnable on an empty database. */
export async function dumpSchema(sql: Sql): Promise<string> {
  const catalog = await sql.begin("isolation level repeatable read read only", readCatalog);
  return `${[head, ...beginning(catalog), ...everything(catalog), "COMMIT;"].join("\n\n")}\n`;
}

const head = `-- The database as the migrations and functions of this release leave it, without rows.
-- Made by \`npm run generate\`, to be read and compared; \`molva migrate\` makes the real one.

BEGIN;

-- A function may name what is created after it.
SET LOCAL check_function_bodies = off;`;

interface Catalog {
  readonly extensions: readonly string[];
  readonly schemas: readonly { readonly name: string; readonly text: string }[];
  readonly parts: readonly (Table | Written)[];
  readonly needs: ReadonlyMap<string, readonly string[]>;
  readonly comments: ReadonlyMap<string, string>;
}

async function readCatalog(sql: Transaction): Promise<Catalog> {
  // With an empty path every name is written with its schema; the rest decides how constants are written.
  await sql`set local search_path = ''`;
  await sql`set local timezone = 'UTC'`;
  await sql`set local datestyle = 'ISO'`;
  await sql`set local intervalstyle = 'postgres'`;
  await refuseUnwritable(sql);
  const extensions = await sql<{ text: string }[]>`
    select format('CREATE EXTENSION IF NOT EXISTS %I WITH SCHEMA %s;', extname, extnamespace::regnamespace) as text
    from pg_extension where extname <> 'plpgsql' order by extname`;
  const schemas = await sql<{ name: string; text: string }[]>`
    select nspname as name, format('CREATE SCHEMA %I;', nspname) as text
    from pg_namespace where oid in (${ourSchemas(sql)}) order by nspname collate "C"`;
  return {
    extensions: extensions.map(({ text }) => text),
    schemas,
    parts: [...(await readTables(sql)), ...(await readOthers(sql))],
    needs: await readNeeds(sql),
    comments: await readComments(sql),
  };
}

function beginning({ extensions, schemas, comments }: Catalog): readonly string[] {
  return [
    ...(extensions.length > 0 ? [extensions.join("\n")] : []),
    ...schemas.map(({ name, text }) => withComments(text, comments.get(name))),
  ];
}

/** The parts in order, under a heading for each schema, and at the end what could not stand where it belongs. */
function everything(catalog: Catalog): readonly string[] {
  const blocks: string[] = [];
  const late: string[] = [];
  const made = new Set<string>();
  let schema = "";
  for (const part of partsInOrder(catalog)) {
    if (part.schema !== schema) blocks.push(heading(part.schema));
    schema = part.schema;
    made.add(part.key);
    blocks.push(withComments(textOf(part, made, late), catalog.comments.get(part.key)));
  }
  return late.length > 0 ? [...blocks, heading("tables that point at each other"), late.join("\n")] : blocks;
}

function textOf(part: Table | Written, made: ReadonlySet<string>, late: string[]): string {
  if ("text" in part) return part.text;
  const fits = ({ target }: ForeignKey) => made.has(target);
  late.push(...part.foreign_keys.filter((key) => !fits(key)).map((key) => addForeignKey(part, key)));
  return tableText(part, part.foreign_keys.filter(fits));
}

/** Schemas by what they need of each other, parts by their places; what a part needs comes before it. */
function partsInOrder({ schemas, parts, needs }: Catalog): readonly (Table | Written)[] {
  const byKey = new Map(parts.map((part) => [part.key, part]));
  const needsOf = (key: string) => needs.get(key) ?? [];
  const neighbours = (schema: string) =>
    parts
      .filter((part) => part.schema === schema)
      .flatMap(({ key }) => needsOf(key).flatMap((need) => byKey.get(need)?.schema ?? []));
  const names = schemas.map(({ name }) => name);
  const preferred = inOrder(names, neighbours).flatMap((schema) =>
    parts.filter((part) => part.schema === schema).sort((a, b) => (a.place < b.place ? -1 : 1)),
  );
  return inOrder(
    preferred.map(({ key }) => key),
    needsOf,
  ).flatMap((key) => byKey.get(key) ?? []);
}

function heading(title: string): string {
  return `-- ${title} ${"-".repeat(Math.max(3, 116 - title.length))}`;
}

function withComments(text: string, comments: string | undefined): string {
  return comments ? `${text}\n${comments}` : text;
}
