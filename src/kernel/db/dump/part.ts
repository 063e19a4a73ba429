import type { Transaction } from "../connect.ts";

/** The place of a part in the dump. */
export interface Placed {
  /** Catalog and oid, such as `pg_proc 16401`. */
  readonly key: string;
  readonly schema: string;
  /** Its place within the schema unless something depends on it: triggers follow their table, functions come last. */
  readonly place: string;
}

/** A part whose statements are known as soon as it is read. */
export interface Written extends Placed {
  readonly text: string;
}

/** The schemas that are Molva's: all but the server's own, the job queue's, and `public`. */
export function ourSchemas(sql: Transaction) {
  return sql`
    select oid from pg_namespace
    where nspname !~ '^pg_' and nspname not in ('information_schema', 'public', 'graphile_worker')`;
}
