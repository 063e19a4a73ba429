/**
 * Function files are applied again whenever their text changes. A table records which functions and triggers each file
 * created; what no file creates any more is dropped, so that an upgraded database has the same functions as a new one.
 */

import postgres from "postgres";
import { messageOf } from "../errors/index.ts";
import type { Sql } from "./connect.ts";

export interface FunctionFile {
  readonly path: string;
  readonly text: string;
  readonly checksum: string;
}

/** Applies `changed` and drops what none of `paths` creates any more, inside the caller's transaction. Returns what it dropped. */
export async function applyFunctionFiles(
  sql: Sql,
  changed: readonly FunctionFile[],
  paths: readonly string[],
): Promise<readonly string[]> {
  // Functions may call each other in any order, so bodies are not checked when they are created.
  await sql`set local check_function_bodies = off`;
  const before = await madeByFiles(sql);
  for (const file of changed) await applyFile(sql, file);
  await noteWhatFilesMade(sql);
  await sql`delete from molva.functions where path <> all (${paths as string[]})`;
  const now = new Set(await madeByFiles(sql));
  const gone = before.filter((made) => !now.has(made));
  await drop(sql, gone);
  return gone;
}

async function madeByFiles(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ made: string }[]>`select unnest(makes) as made from molva.functions order by 1`;
  return rows.map(({ made }) => made);
}

/**
 * `create or replace` cannot change a function's return type, so such a function is dropped first. The statements are sent
 * together: there are hundreds of files.
 */
async function applyFile(sql: Sql, file: FunctionFile): Promise<void> {
  try {
    await Promise.all([
      sql`savepoint before_file`,
      sql.unsafe(file.text),
      sql`
        insert into molva.functions (path, checksum) values (${file.path}, ${file.checksum})
        on conflict (path) do update set checksum = excluded.checksum, makes = '{}', applied_at = now()`,
      sql`release savepoint before_file`,
    ]);
  } catch (error) {
    const drop = advisedDrop(error);
    if (!drop) throw new Error(`function file ${file.path} failed: ${wordsOf(error)}`, { cause: error });
    await sql`rollback to savepoint before_file`;
    await sql.unsafe(drop);
    await applyFile(sql, file);
  }
}

/** A savepoint has a transaction id of its own, so what a file created has the same `xmin` as the file's row in the table. */
async function noteWhatFilesMade(sql: Sql): Promise<void> {
  await sql`
    update molva.functions f set makes = m.makes
    from (
      select made.xmin, array_agg(o.type || ' ' || replace(o.identity, 'pg_catalog.', '')) as makes
      from (
        select 'pg_proc'::regclass as catalog, oid, xmin::text from pg_proc
        union all
        select 'pg_trigger'::regclass, oid, xmin::text from pg_trigger where not tgisinternal
      ) made, pg_identify_object(made.catalog, made.oid, 0) o
      where made.xmin in (select xmin::text from molva.functions where makes = '{}')
      group by 1
    ) m
    where f.makes = '{}' and f.xmin::text = m.xmin`;
}

/** PostgreSQL names the function that prevents it. */
function advisedDrop(error: unknown): string | undefined {
  if (!(error instanceof postgres.PostgresError) || error.code !== "42P13") return undefined;
  return /DROP FUNCTION .+\)/.exec(error.hint ?? "")?.[0];
}

/** Triggers before the functions they call; functions in one statement, because they may need each other. */
async function drop(sql: Sql, gone: readonly string[]): Promise<void> {
  const triggers = gone.filter((made) => made.startsWith("trigger "));
  const routines = gone.filter((made) => !made.startsWith("trigger "));
  try {
    for (const trigger of triggers) await sql.unsafe(trigger.replace("trigger", "drop trigger if exists"));
    if (routines.length > 0)
      await sql.unsafe(
        `drop routine if exists ${routines.map((made) => made.replace(/^\w+ /, "")).join(", ")}`,
      );
  } catch (error) {
    throw new Error(`dropping what no function file makes any more failed: ${wordsOf(error)}`, {
      cause: error,
    });
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof postgres.PostgresError)
    return [error.message, error.detail].filter(Boolean).join(": ");
  return messageOf(error);
}
