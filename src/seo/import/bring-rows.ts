/** Puts rows into our tables with their own ids; what the database refuses is reported, and the others come. */
import { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import { adopted, again, count, freshRows, type Importing, leaveOut, markCome } from "./importing.ts";
import { type OldRow, type OldTableName, oldTables } from "./old-tables.ts";

export interface Prepared {
  readonly row: OldRow;
  readonly kept?: object;
}

export interface Bringing {
  /** Changes a row on its way; undefined leaves it out, once it has said why. */
  readonly prepare?: (row: OldRow) => Prepared | undefined | Promise<Prepared | undefined>;
}

const atOnce = 500;

/** Returns the rows that came. */
export async function bringRows(
  to: Importing,
  table: OldTableName,
  { prepare = (row) => ({ row }) }: Bringing = {},
): Promise<OldRow[]> {
  const into = oldTables[table].into;
  if (into === undefined) throw new Error(`rows of ${table} go nowhere as they are`);
  const { found, fresh } = await freshRows(to, table);
  const taken = await takenIds(to, into, fresh);
  const ready: Prepared[] = [];
  for (const old of fresh) {
    if (taken.has(old.id)) {
      leaveOut(
        to,
        table,
        old.id,
        "another row has this number here",
        "import into a workspace that SEO Master has not used yet",
      );
      continue;
    }
    const row = adopted(to, table, old);
    const prepared = row && (await prepare(row));
    if (prepared) ready.push(prepared);
  }
  const columns = await columnsOf(to.tx, into);
  const came: OldRow[] = [];
  for (let from = 0; from < ready.length; from += atOnce)
    came.push(...(await putChunk(to, { table, into, columns }, ready.slice(from, from + atOnce))));
  count(to, table, { found, fresh: fresh.length, came: came.length });
  return came;
}

async function takenIds(to: Importing, into: string, rows: readonly OldRow[]): Promise<Set<number>> {
  const found = await to.tx<{ id: number }[]>`
    select id from ${to.tx.unsafe(into)}
    where workspace_id = ${to.workspaceId} and id = any(${rows.map(({ id }) => id)}::bigint[])`;
  return new Set(found.map(({ id }) => id));
}

async function columnsOf(tx: Transaction, into: string): Promise<ReadonlySet<string>> {
  const rows = await tx<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${into}::regclass and attnum > 0 and not attisdropped`;
  return new Set(rows.map(({ name }) => name));
}

interface Place {
  readonly table: OldTableName;
  readonly into: string;
  readonly columns: ReadonlySet<string>;
}

/** All of them at once, which is fast; one by one if the database refuses any. */
async function putChunk(to: Importing, place: Place, chunk: readonly Prepared[]): Promise<OldRow[]> {
  const put = (rows: readonly Prepared[]) => to.tx.savepoint((tx) => insert(tx, to, place, rows));
  const refused = await put(chunk).then(() => false, isRefusal);
  const came: Prepared[] = [];
  if (!refused) came.push(...chunk);
  else
    for (const one of chunk) {
      const fault = await put([one]).then(() => undefined, faultOf);
      if (fault === undefined) came.push(one);
      else leaveOut(to, place.table, one.row.id, await inWords(to.tx, fault), again);
    }
  await markCome(
    to,
    place.table,
    came.map(({ row, kept }) => ({ id: row.id, kept })),
  );
  return came.map(({ row }) => row);
}

async function insert(
  tx: Transaction,
  to: Importing,
  { into, columns }: Place,
  rows: readonly Prepared[],
): Promise<void> {
  const named = Object.keys(rows[0]?.row ?? {}).filter((name) => columns.has(name));
  await tx`
    insert into ${tx.unsafe(into)} (workspace_id, ${tx.unsafe(named.map((name) => `"${name}"`).join(", "))})
    select ${to.workspaceId}, ${tx.unsafe(named.map((name) => `r."${name}"`).join(", "))}
    from jsonb_populate_recordset(null::${tx.unsafe(into)}, ${JSON.stringify(rows.map(({ row }) => row))}::text::jsonb) r`;
}

const refusal = z.object({
  name: z.literal("PostgresError"),
  /** Wrong values, broken rules, and what our triggers raise; anything else is no fault of the row. */
  code: z.string().regex(/^(22|23|P0001)/),
  message: z.string(),
  detail: z.string().optional(),
  constraint_name: z.string().optional(),
});

function faultOf(error: unknown): z.infer<typeof refusal> {
  const read = refusal.safeParse(error);
  if (!read.success) throw error;
  return read.data;
}

function isRefusal(error: unknown): true {
  faultOf(error);
  return true;
}

async function inWords(
  tx: Transaction,
  { code, message, detail, constraint_name }: z.infer<typeof refusal>,
): Promise<string> {
  if (code === "23505") return `there is one like it already: ${detail ?? message}`;
  if (code !== "23514" || constraint_name === undefined) return message;
  const [rule] = await tx<{ rule: string }[]>`
    select pg_get_constraintdef(oid) as rule from pg_constraint
    where conname = ${constraint_name} and connamespace in ('seo'::regnamespace, 'billing'::regnamespace)`;
  return rule ? `it breaks the rule ${rule.rule}` : message;
}
