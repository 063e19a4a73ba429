import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { RetentionSettings } from "./settings.ts";

/** The dependencies of one retention step; `now` is the same for the whole run. */
export interface RetentionContext {
  readonly sql: Sql;
  readonly storage: ObjectStorage;
  readonly log: Log;
  readonly settings: RetentionSettings;
  readonly now: Date;
}
