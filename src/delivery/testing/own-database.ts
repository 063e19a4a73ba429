import type { Sql } from "../../kernel/db/index.ts";

/** A database of one test file, handed to a harness that drops it in the end. */
export interface OwnDatabase {
  readonly sql: Sql;
  readonly url: string;
  drop(): Promise<void>;
}
