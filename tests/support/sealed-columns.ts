import type { Sql } from "../../src/kernel/db/index.ts";
import type { SealedStore } from "../../src/kernel/sealed/index.ts";

/** Every Fernet token begins so: its version and the first bytes of any time before the year 2106. The shortest has 100 signs. */
const tokenInSql = "gAAAA[A-Za-z0-9_-]{90}";
const token = /gAAAA[A-Za-z0-9_-]{90}/;

/** Where the database holds Fernet tokens that no store of the registry covers: columns, paths inside JSON, keys. */
export async function forgottenSeals(sql: Sql, stores: readonly SealedStore[]): Promise<string[]> {
  const columns = await sql<{ table: string; column: string; type: string }[]>`
    select format('%I.%I', table_schema, table_name) as table, format('%I', column_name) as column, data_type as type
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema not in ('information_schema', 'pg_catalog')
      and data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')`;
  const forgotten = new Set<string>();
  for (const { table, column, type } of columns) {
    const text = type === "bytea" ? `encode(${column}, 'escape')` : `${column}::text`;
    const rows = await sql.unsafe<{ text: string; row: Record<string, unknown> }[]>(
      `select ${text} as text, to_jsonb(t) as row from ${table} t where ${text} ~ '${tokenInSql}'`,
    );
    for (const { text, row } of rows)
      for (const path of type.startsWith("json") ? pathsOf(JSON.parse(text)) : [[]])
        if (!stores.some((store) => covers(store, table, column, path, row)))
          forgotten.add([`${table}.${column}`, ...path].join("."));
  }
  return [...forgotten];
}

function covers(
  store: SealedStore,
  table: string,
  column: string,
  path: readonly string[],
  row: Record<string, unknown>,
): boolean {
  if (store.kind === "keys")
    return (
      `${table}.${column}` === "molva.kv.value" &&
      store.prefixes.some((prefix) => String(row.key).startsWith(prefix))
    );
  return (
    store.kind === "column" &&
    `${table}.${column}` === `${store.table}.${store.column}` &&
    path.join(".") === (store.path ?? []).join(".") &&
    Object.entries(store.only ?? {}).every(([name, value]) => row[name] === value)
  );
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === "string") return token.test(value) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...path, name]));
}
