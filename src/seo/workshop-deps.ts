import type { Ledger } from "../billing/index.ts";
import type { Clock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import type { Gateway } from "../llm/index.ts";
import type { Runs } from "./runs/create-runs.ts";
import type { Sources } from "./sources/index.ts";

/** What every kind of work needs. */
export interface WorkshopDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly gateway: Gateway;
  readonly ledger: Ledger;
  readonly sources: Sources;
}

/** What ordering work needs. */
export interface OrderDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly runs: Runs;
  /** Telegram ids of those who pay nothing. */
  readonly admins: readonly number[];
}
