import type { AuditActor } from "../../audit/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";

/** Dependencies of every configuration change. */
export interface AdminDeps {
  readonly sql: Sql;
  readonly clock: Clock;
}

/** Who changes the configuration, and why; both are written into the event of the change. */
export interface By {
  /**
   * `operator:<id>` or `token:<id>`, never a name that can be chosen; `command:uid:<number>@<machine>` for commands, and a fixed word for Molva's own
   * parts. `workspaces.actor_name` returns the present name.
   */
  readonly operator: string;
  readonly reason?: string | undefined;
  /** For the audit: an id, unlike the name above. Molva itself unless given. */
  readonly actor?: AuditActor | undefined;
  /** The network address of the request. */
  readonly address?: string | undefined;
  /** Whether they have the scope `admin`, which is required to send a stored secret to another origin. */
  readonly isAdmin?: boolean;
}
