import type { Sql } from "../../src/kernel/db/index.ts";

/**
 * The clock of PostgreSQL's machine, which nobody but root may set: in this database every `now()` and `clock_timestamp()` of a
 * statement, a function or a default is found here first, and is PostgreSQL's own plus a setting of the server. What PostgreSQL
 * does by itself, and functions that name pg_catalog first, go on by the true time.
 */
export async function letTimeMove(sql: Sql): Promise<void> {
  await sql.unsafe("create schema chaos");
  for (const [name, volatility] of [
    ["now", "stable"],
    ["transaction_timestamp", "stable"],
    ["statement_timestamp", "stable"],
    ["clock_timestamp", "volatile"],
  ])
    await sql.unsafe(`
      create function chaos.${name}() returns timestamptz language sql ${volatility} parallel safe
      return pg_catalog.${name}() + coalesce(nullif(current_setting('${setting}', true), ''), '0')::interval`);
  const [{ name }] = await sql<[{ name: string }]>`select current_database() as name`;
  await sql`alter database ${sql(name)} set search_path = chaos, pg_catalog, public`;
}

/** Sets that clock for all connections, also the open ones: so many seconds before or after the true time. */
export async function moveTime(sql: Sql, seconds: number): Promise<void> {
  await sql.unsafe(`alter system set ${setting} = '${Math.round(seconds)} seconds'`);
  await sql`select pg_reload_conf()`;
}

/** How far it is from the true time, in seconds. */
export async function timeMovedBy(sql: Sql): Promise<number> {
  const [row] = await sql<[{ seconds: number }]>`
    select extract(epoch from clock_timestamp() - pg_catalog.clock_timestamp())::float8 as seconds`;
  return Math.round(row.seconds);
}

const setting = "chaos.ahead";
