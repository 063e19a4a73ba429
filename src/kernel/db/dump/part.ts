import type { Transaction } from "../connect.ts";

/** Where a thing of the dump stands. */
export interface Placed {
  /** Catalog and oid, such as `pg_proc 16401`. */
  readonly key: string;
  readonly schema: string;
  /** Its place within the schema when nothing needs it earlier: triggers follow their table, functions come last. */
  readonly place: string;
}

/** A thing whose statements are known as soon as it is read. */
export interface Written extends Placed {
  readonly text: string;
}

/** The schemas that are Molva's: all but the server's own, the job queue's, and `public`. */
export function ourSchemas(sql: Transaction) {
  return sql`
    select oid from pg_namespace
    where nspname !~ '^pg_' and nspname not in ('information_schema', 'public', 'graphile_worker')`;
}
