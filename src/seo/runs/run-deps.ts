import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { enqueue, type Task } from "../../kernel/jobs/index.ts";

export interface RunDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  /** The job that works on a run. */
  readonly task: Task<RunJob>;
}

export interface RunJob {
  readonly workspace_id: string;
  readonly run_id: string;
}

/** Enqueues the work on a run. A run has at most one waiting job. */
export async function enqueueRun(
  { task }: Pick<RunDeps, "task">,
  sql: Sql | Transaction,
  workspaceId: string,
  runId: string,
): Promise<void> {
  await enqueue(sql, task, { workspace_id: workspaceId, run_id: runId }, { key: `seo.run ${runId}` });
}
