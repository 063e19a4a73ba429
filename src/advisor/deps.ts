import type { Clock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import type { Log } from "../kernel/log/index.ts";
import type { ObjectStorage } from "../kernel/storage/index.ts";
import type { Gateway } from "../llm/index.ts";
import type { AdvisorSettings } from "./advisor-settings.ts";

export interface AdvisorDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly gateway: Gateway;
  readonly storage: ObjectStorage;
  readonly settings: AdvisorSettings;
  /** The workspace of the advisor; an installation has one. */
  readonly workspaceId: () => Promise<string>;
}
