import type { Sql } from "../../kernel/db/index.ts";

/** A database for one test file; its harness drops it at the end. */
export interface OwnDatabase {
  readonly sql: Sql;
  readonly url: string;
  drop(): Promise<void>;
}
