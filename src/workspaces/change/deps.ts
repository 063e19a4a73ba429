import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";

/** What every change of the configuration needs. */
export interface AdminDeps {
  readonly sql: Sql;
  readonly clock: Clock;
}

/** Who changes the configuration, and why; both stand in the event of the change. */
export interface By {
  readonly operator: string;
  readonly reason?: string | undefined;
  /** Whether they hold the scope `admin`, which sending a stored secret somewhere else needs. */
  readonly isAdmin?: boolean;
}
