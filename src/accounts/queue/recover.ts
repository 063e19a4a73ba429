import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { wordsOf } from "../reasons/reasons.ts";

export interface StuckTask {
  readonly workspace_id: string;
  readonly id: string;
  readonly object_id: string;
  readonly chat_id: string;
  readonly account_id: string;
  readonly status: "pending" | "failed";
  readonly attempts: number;
}

export interface StuckReset {
  readonly found: number;
  readonly reset: number;
  readonly failed: number;
  readonly tasks: readonly StuckTask[];
}

export interface StuckRule {
  readonly workspaceId?: string | undefined;
  readonly thresholdSeconds?: number;
  readonly maxAttempts?: number;
  /** Who asked for it, when somebody did. */
  readonly by?: string | undefined;
}

/** Takes back tasks whose worker went silent: each has lost a try, and the last try ends it. */
export async function recoverStuck(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  { workspaceId, thresholdSeconds = 300, maxAttempts = 3, by }: StuckRule = {},
): Promise<StuckReset> {
  const tasks = await sql<StuckTask[]>`
    select workspace_id, id, object_id, chat_id, account_id, status, attempts
    from accounts.recover_stuck(${workspaceId ?? null}, ${thresholdSeconds}, ${maxAttempts}, ${wordsOf("stuck")},
      ${by ?? null}, ${clock.now()})`;
  const failed = tasks.filter(({ status }) => status === "failed").length;
  return { found: tasks.length, reset: tasks.length - failed, failed, tasks };
}
