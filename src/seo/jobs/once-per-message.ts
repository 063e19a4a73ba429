/** A message of QStash is worked on once, however often it comes. */
import type { KeyValue } from "../../kernel/kv/index.ts";

export type JobName = "publish" | "cleanup" | "notify";

/** While it is worked on; a process that dies keeps others out for this long. */
const lockMs = 5 * 60_000;
/** QStash repeats a message for a day at most. */
const rememberedMs = 25 * 3_600_000;

/** What repeated messages are answered with: their work is under way, or done. */
export const duplicate = { status: "duplicate", message: "Already processing" } as const;

/**
 * Runs the work unless the message is under way or done. `again` from the work, or an exception, lets the next retry of the message
 * in: otherwise the lock would swallow it.
 */
export async function oncePerMessage<T>(
  keyValue: KeyValue,
  { job, messageId }: { readonly job: JobName; readonly messageId: string },
  work: () => Promise<{ readonly again: boolean; readonly answer: T }>,
): Promise<T | typeof duplicate> {
  const key = `${job}_lock:${messageId}`;
  if (!(await keyValue.setIfAbsent(key, "running", { ttlMs: lockMs }))) return duplicate;
  let again = true;
  try {
    const done = await work();
    again = done.again;
    return done.answer;
  } finally {
    if (again) await keyValue.delete(key);
    else await keyValue.set(key, "done", { ttlMs: rememberedMs });
  }
}
