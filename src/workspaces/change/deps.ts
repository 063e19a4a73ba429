import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";

/** Dependencies of every configuration change. */
export interface AdminDeps {
  readonly sql: Sql;
  readonly clock: Clock;
}

/** Who changes the configuration, and why; both are written into the event of the change. */
export interface By {
  readonly operator: string;
  readonly reason?: string | undefined;
  /** Whether they have the scope `admin`, which is required to send a stored secret to another origin. */
  readonly isAdmin?: boolean;
}
