import { rowOf } from "../crypto/index.ts";
import { afterKey, isKey, keyTexts, tableExists } from "./key-sql.ts";
import type { OpenStore, SealedDeps, SealedRow } from "./open-store.ts";
import type { SealedColumn } from "./sealed-store.ts";

const rowsPerPart = 500;

interface Row {
  readonly key: string[];
  readonly token: string;
}

export function openColumn(store: SealedColumn, { sql }: Pick<SealedDeps, "sql">): OpenStore {
  const { table, key, column, path } = store;
  const token = path ? `${column} #>> ${literal(`{${path.join(",")}}`)}` : column;
  const only = Object.entries(store.only ?? {}).map(([name, value]) => `${name} = ${literal(value)}`);
  // Flows keep an empty text until a person has answered.
  const wanted = [`nullif(${token}, '') is not null`, ...only].join(" and ");
  const rowOfStore = (row: Row): SealedRow => ({
    id: row.key.join("/"),
    key: row.key,
    token: row.token,
    place: rowOf(table, ...row.key),
  });

  return {
    async *parts() {
      if (!(await tableExists(sql, table))) return;
      let last: readonly string[] | undefined;
      do {
        const rows: Row[] = await sql.unsafe<Row[]>(
          `select ${keyTexts(key)} as key, ${token} as token from ${table}
           where ${afterKey(key, last)} and ${wanted} order by ${key.join(", ")} limit ${rowsPerPart}`,
          [...(last ?? [])],
        );
        if (rows.length > 0) yield rows.map(rowOfStore);
        last = rows.length === rowsPerPart ? rows.at(-1)?.key : undefined;
      } while (last);
    },

    async again(row) {
      const [found] = await sql.unsafe<Row[]>(
        `select ${keyTexts(key)} as key, ${token} as token from ${table} where ${isKey(key)} and ${wanted}`,
        [...row.key],
      );
      return found && rowOfStore(found);
    },

    async replace(row, fresh) {
      const [from, to] = [key.length + 1, key.length + 2];
      const value = path
        ? `jsonb_set(${column}, ${literal(`{${path.join(",")}}`)}, to_jsonb($${to}::text))`
        : `$${to}`;
      // A writer that holds the row is waited for; then the condition is tried on what it wrote.
      const changed = await sql.unsafe(
        `update ${table} set ${column} = ${value} where ${isKey(key)} and ${token} = $${from}`,
        [...row.key, row.token, fresh],
      );
      return changed.count > 0;
    },
  };
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
