import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type Conflicts, refusalFrom } from "./refusal.ts";

export interface Rehearsal {
  readonly dryRun?: boolean | undefined;
}

/**
 * Runs one change in a transaction. Errors of the database become problems with a sentence for people. A dry run does the same
 * steps on the same rows and rolls them back.
 */
export async function inOneChange<T>(
  sql: Sql,
  work: (tx: Transaction) => PromiseLike<T>,
  { dryRun = false, conflicts = {} }: Rehearsal & { readonly conflicts?: Conflicts } = {},
): Promise<T> {
  const ended: { value: T }[] = [];
  const rehearsed = new Error("rolled back on purpose");
  try {
    await sql.begin(async (tx) => {
      ended.push({ value: await work(tx) });
      if (dryRun) throw rehearsed;
    });
  } catch (error) {
    if (error !== rehearsed) throw refusalFrom(error, conflicts);
  }
  const [outcome] = ended;
  if (!outcome) throw new Error("a change ended without an outcome");
  return outcome.value;
}
