/** A piece of background work that a module declares and the jobs service runs. */
import type { z } from "zod";
import type { Log } from "../log/index.ts";

/** What a task may use while it runs. */
export interface TaskContext {
  readonly log: Log;
  /** Fires when the process must stop soon. */
  readonly signal: AbortSignal;
  /** The minute of the cron entry; absent when the job was enqueued by code. */
  readonly scheduledFor?: Date;
}

/** A task for the service that runs it: `run` checks the payload. */
export interface RunnableTask {
  readonly name: string;
  readonly maxAttempts?: number;
  perform(payload: unknown, context: TaskContext): Promise<void>;
}

/** A task for those who enqueue it: typed by its payload. */
export interface Task<Payload> extends RunnableTask {
  check(payload: unknown): Payload;
}

export interface TaskSpec<Payload> {
  readonly name: string;
  /** `z.unknown()` when there is no payload. */
  readonly schema: z.ZodType<Payload, Payload>;
  /** How many attempts it has in all, with growing pauses; graphile-worker's 25 unless given. */
  readonly maxAttempts?: number;
  readonly run: (payload: NoInfer<Payload>, context: TaskContext) => Promise<void>;
}

/**
 * @example
 * const greet = defineTask({
 *   name: "greet",
 *   schema: z.object({ name: z.string() }),
 *   run: async ({ name }, { log }) => log.info({ name }, "hello"),
 * });
 */
export function defineTask<Payload>({ name, schema, maxAttempts, run }: TaskSpec<Payload>): Task<Payload> {
  function check(payload: unknown): Payload {
    const parsed = schema.safeParse(payload);
    if (parsed.success) return parsed.data;
    // Names the field but not its value: the message is stored and logged.
    const places = parsed.error.issues.map(({ path, code }) => `/${path.map(String).join("/")} (${code})`);
    throw new TypeError(`the payload of ${name} does not fit its schema at ${places.join(", ")}`);
  }
  return {
    name,
    ...(maxAttempts !== undefined && { maxAttempts }),
    check,
    perform: async (payload, context) => run(check(payload), context),
  };
}
