import type { Sql } from "../../kernel/db/index.ts";

const shownCandidates = 5;

/** Ids that begin with what a person typed, newest first, a few at most. Both are ranges of the primary key. */
export function deliveriesByPrefix(sql: Sql, workspaceId: string, typed: string): Promise<string[]> {
  return idsOf(
    typed,
    ([from, to]) => sql<{ id: string }[]>`
    select delivery_id as id from delivery.deliveries
    where workspace_id = ${workspaceId} and delivery_id between ${from}::uuid and ${to}::uuid
    order by delivery_id desc limit ${shownCandidates}`,
  );
}

export function messagesByPrefix(sql: Sql, workspaceId: string, typed: string): Promise<string[]> {
  return idsOf(
    typed,
    ([from, to]) => sql<{ id: string }[]>`
    select message_id as id from delivery.messages
    where workspace_id = ${workspaceId} and message_id between ${from}::uuid and ${to}::uuid
    order by message_id desc limit ${shownCandidates}`,
  );
}

async function idsOf(
  typed: string,
  find: (range: readonly [string, string]) => PromiseLike<readonly { id: string }[]>,
): Promise<string[]> {
  const range = rangeOf(typed);
  return range ? (await find(range)).map(({ id }) => id) : [];
}

/** The first and the last UUID with this beginning; undefined when no UUID can begin so. */
export function rangeOf(typed: string): readonly [string, string] | undefined {
  const hex = typed.trim().toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]{1,32}$/.test(hex)) return undefined;
  return [hex.padEnd(32, "0"), hex.padEnd(32, "f")];
}
