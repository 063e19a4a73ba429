import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "../../../src/kernel/db/index.ts";

/** Which secret was seen where. Never the secret itself: a test's report is a log too. */
export interface Leak {
  readonly what: string;
  readonly where: string;
}

export type Secrets = ReadonlyMap<string, string>;

/** Secrets in a text, also as they look when they were written into JSON, an address or base64. */
export function leaksIn(text: string, where: string, secrets: Secrets): Leak[] {
  return [...secrets]
    .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
    .map(([what]) => ({ what, where }));
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, encodeURIComponent(secret), bytes.toString("base64"), bytes.toString("base64url")];
}

/** Every column of every table that can hold text, whatever module it belongs to. */
export async function leaksInDatabase(sql: Sql, secrets: Secrets): Promise<Leak[]> {
  const columns = await sql<{ table: string; column: string }[]>`
    select format('%I.%I', table_schema, table_name) as table, format('%I', column_name) as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema not in ('information_schema', 'pg_catalog')
      and data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')`;
  const leaks: Leak[] = [];
  for (const { table, column } of columns) {
    const rows = await sql.unsafe(`select ${column}::text as text from ${table} where ${column} is not null`);
    leaks.push(...leaksIn(rows.map(({ text }) => text).join("\n"), `${table}.${column}`, secrets));
  }
  return leaks;
}

export function leaksInFolder(folder: string, secrets: Secrets): Leak[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return leaksIn(readFileSync(path, "latin1"), path.slice(folder.length), secrets);
    });
}
