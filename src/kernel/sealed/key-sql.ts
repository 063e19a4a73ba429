/** Pieces of SQL about a primary key of any columns. Names come from the registry in our sources, values are parameters. */
import type { Sql } from "../db/index.ts";

/** `(a, b) > ($1, $2)`: what comes after a row in the order of the key, from the index of the key. Everything, without a row. */
export function afterKey(columns: readonly string[], last: readonly string[] | undefined): string {
  return last ? `(${columns.join(", ")}) > (${parameters(columns)})` : "true";
}

/** `(a, b) = ($1, $2)` */
export function isKey(columns: readonly string[]): string {
  return `(${columns.join(", ")}) = (${parameters(columns)})`;
}

/** The values of the key as texts, in its order. */
export function keyTexts(columns: readonly string[]): string {
  return `array[${columns.map((column) => `${column}::text`).join(", ")}]`;
}

function parameters(columns: readonly string[]): string {
  return columns.map((_, index) => `$${index + 1}`).join(", ");
}

/** `molva doctor` also runs before the first migration. */
export async function tableExists(sql: Sql, table: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`select to_regclass(${table}) is not null as found`;
  return row.found;
}
