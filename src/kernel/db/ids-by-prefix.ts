import { idRange } from "../ids/index.ts";
import type { Sql, Transaction } from "./connect.ts";

/** Where the ids of one kind of thing are: the key column of a table with `workspace_id`. */
export interface IdColumn {
  /** What people call such a thing. */
  readonly what: string;
  readonly table: string;
  readonly column: string;
}

const shownCandidates = 5;

/** A few ids of a workspace that begin with the prefix, newest first. Reads a range of the primary key. */
export async function idsByPrefix(
  sql: Sql | Transaction,
  workspaceId: string,
  { table, column }: IdColumn,
  typed: string,
): Promise<string[]> {
  const range = idRange(typed);
  if (!range) return [];
  const [from, to] = range;
  const rows = await sql<{ id: string }[]>`
    select ${sql(column)} as id from ${sql(table)}
    where workspace_id = ${workspaceId} and ${sql(column)} between ${from}::uuid and ${to}::uuid
    order by ${sql(column)} desc limit ${shownCandidates}`;
  return rows.map(({ id }) => id);
}
