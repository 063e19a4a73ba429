import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { wordsOf } from "../reasons/task-reasons.ts";

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
  /** The operator, if a person asked for it. */
  readonly by?: string | undefined;
}

/** Returns tasks whose worker has died to the queue; counts an attempt, and fails the task after the last one. */
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
