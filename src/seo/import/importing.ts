/** What all parts of an import share: how far it is, and what is told at the end. */
import type { Transaction } from "../../kernel/db/index.ts";
import { type OldRow, type OldTableName, oldTables, timeColumns } from "./old-tables.ts";
import type { OldSource } from "./source.ts";

export interface Note {
  readonly table: OldTableName;
  readonly id: number;
  /** `left_out`: it did not come; `changed`: it came otherwise than it was. */
  readonly kind: "left_out" | "changed";
  readonly why: string;
  readonly way_out: string;
}

export interface TableCount {
  readonly table: OldTableName;
  readonly found: number;
  readonly came: number;
  /** Had come with an earlier run. */
  readonly already: number;
  readonly left_out: number;
}

export interface Importing {
  readonly tx: Transaction;
  readonly workspaceId: string;
  readonly now: Date;
  readonly source: OldSource;
  readonly notes: Note[];
  readonly counts: TableCount[];
  /** Ids that came, now or earlier. */
  readonly come: Map<OldTableName, Set<number>>;
}

export const again = "correct it in the old database and run the import again";

export function leaveOut(to: Importing, table: OldTableName, id: number, why: string, wayOut = again): void {
  to.notes.push({ table, id, kind: "left_out", why, way_out: wayOut });
}

export function noteChanged(
  to: Importing,
  table: OldTableName,
  id: number,
  why: string,
  wayOut: string,
): void {
  to.notes.push({ table, id, kind: "changed", why, way_out: wayOut });
}

export const hasCome = (to: Importing, table: OldTableName, id: unknown): boolean =>
  to.come.get(table)?.has(Number(id)) ?? false;

/** Rows that did not come yet; the others are counted as such by `count`. */
export async function freshRows(
  to: Importing,
  table: OldTableName,
): Promise<{ readonly found: number; readonly fresh: OldRow[] }> {
  const rows = (await to.source.rows(table)) ?? [];
  return { found: rows.length, fresh: rows.filter(({ id }) => !hasCome(to, table, id)) };
}

export function count(
  to: Importing,
  table: OldTableName,
  { found, fresh, came }: { readonly found: number; readonly fresh: number; readonly came: number },
): void {
  to.counts.push({ table, found, came, already: found - fresh, left_out: fresh - came });
}

/** Marks rows as brought. `kept` is what ours has no column for. */
export async function markCome(
  to: Importing,
  table: OldTableName,
  rows: readonly { readonly id: number; readonly kept?: object | undefined }[],
): Promise<void> {
  const known = to.come.get(table) ?? new Set();
  for (const { id } of rows) known.add(id);
  to.come.set(table, known);
  if (rows.length === 0) return;
  await to.tx`
    insert into seo.imported_rows (workspace_id, table_name, id, kept, imported_at)
    select ${to.workspaceId}, ${table}, r.id, r.kept, ${to.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id bigint, kept jsonb)`;
}

/** The row with what stands for its nulls; undefined if what it belongs to did not come. */
export function adopted(to: Importing, table: OldTableName, row: OldRow): OldRow | undefined {
  const { parents = {}, loose = {}, fallbacks = {} } = oldTables[table];
  for (const [column, parent] of Object.entries(parents)) {
    if (hasCome(to, parent, row[column])) continue;
    leaveOut(to, table, row.id, `it belongs to ${parent} ${row[column] ?? "nobody"}, which did not come`);
    return undefined;
  }
  const emptied = Object.entries(loose)
    .filter(
      ([column, parent]) =>
        row[column] !== null && row[column] !== undefined && !hasCome(to, parent, row[column]),
    )
    .map(([column]) => [column, null]);
  const filled = Object.entries(fallbacks).map(([column, value]) => [column, row[column] ?? value]);
  const timed = timeColumns
    .filter((column) => column in row)
    .map((column) => [column, row[column] ?? to.now.toISOString()]);
  return { ...row, ...Object.fromEntries([...emptied, ...filled, ...timed]) };
}
