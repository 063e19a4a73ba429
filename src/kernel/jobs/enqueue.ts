import type { Sql, Transaction } from "../db/index.ts";
import type { Task } from "./task.ts";

export interface EnqueueOptions {
  readonly runAt?: Date;
  /** Replaces a waiting job that has the same key. */
  readonly key?: string;
  readonly maxAttempts?: number;
}

/** Adds a job and returns its id. Inside a transaction the job exists only if it commits. */
export async function enqueue<Payload>(
  sql: Sql | Transaction,
  task: Task<Payload>,
  payload: NoInfer<Payload>,
  { runAt, key, maxAttempts = task.maxAttempts }: EnqueueOptions = {},
): Promise<string> {
  // Passed as text, because the driver would encode a JSON parameter a second time.
  const json = JSON.stringify(task.check(payload) ?? null);
  const [job] = await sql<{ id: string }[]>`
    select id::text from graphile_worker.add_job(
      identifier   => ${task.name}::text,
      payload      => ${json}::text::json,
      run_at       => ${runAt ?? null}::timestamptz,
      job_key      => ${key ?? null}::text,
      max_attempts => ${maxAttempts ?? null}::int)`;
  if (!job) throw new Error(`graphile-worker did not take a job for ${task.name}`);
  return job.id;
}
