import postgres from "postgres";
import type { Sql } from "../../src/kernel/db/index.ts";

/** The same database through connections of its own that record every query. */
export function watchedSql(sql: Sql): { readonly sql: Sql; readonly queries: string[] } {
  const queries: string[] = [];
  const options = { ...sql.options, debug: (_: number, query: string) => void queries.push(query) };
  return {
    sql: postgres(
      options as unknown as postgres.Options<Record<string, postgres.PostgresType>>,
    ) as unknown as Sql,
    queries,
  };
}
