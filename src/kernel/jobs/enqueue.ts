import type { Sql, Transaction } from "../db/index.ts";
import type { Task } from "./task.ts";

export interface EnqueueOptions {
  readonly runAt?: Date;
  /** A job that still waits under the same key is replaced instead of joined by another. */
  readonly key?: string;
  readonly maxAttempts?: number;
}

/** Puts a job into the queue and tells its id. Within a transaction the job exists only if that commits. */
export async function enqueue<Payload>(
  sql: Sql | Transaction,
  task: Task<Payload>,
  payload: NoInfer<Payload>,
  { runAt, key, maxAttempts = task.maxAttempts }: EnqueueOptions = {},
): Promise<string> {
  // By way of text, because the driver would encode a JSON parameter a second time.
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
