import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { defineTask, enqueue, type Task } from "../../kernel/jobs/index.ts";
import type { RunScope } from "../runs/run-kind.ts";
import type { Sourced } from "../sources/result.ts";

/** The parts of a connected site that are read by Firecrawl. */
export const readParts = ["branding", "site_map"] as const;
export type ReadPart = (typeof readParts)[number];

/** Of a work that was begun because a site was connected, or because its day has come. */
export const learningSchema = z.object({
  ...{ connection_id: z.int(), attempt: z.int().min(0) },
  fresh: z.boolean().optional().describe("What is remembered of the site does not count"),
});
export type Learning = z.infer<typeof learningSchema>;

export const learnJob = z.object({
  ...{ workspace_id: z.uuid(), user_id: z.int(), part: z.enum(readParts) },
  ...learningSchema.shape,
});
export type LearnJob = z.infer<typeof learnJob>;

/** A task of this name and shape, for runs that are tried again; `createLearnTask` makes the one that does the work. */
const learnTask: Task<LearnJob> = defineTask({
  name: "seo.learn_site",
  schema: learnJob,
  run: async () => {
    throw new Error("the module that learns about sites did not register its task");
  },
});

export { learnTask };

/** When a source that was down on connection is asked again: three times (E15). */
const waitsMs = [10 * 60_000, 60 * 60_000, 6 * 60 * 60_000];

/** The moment of the next attempt; null if another one would not help, or there were enough. */
export function againAt(learning: Learning | undefined, answer: Sourced<unknown>, now: Date): string | null {
  const wait = learning && waitsMs[learning.attempt];
  if (wait === undefined || answer.ok) return null;
  return ["unavailable", "quota"].includes(answer.reason)
    ? new Date(now.getTime() + wait).toISOString()
    : null;
}

/** Enqueues the next attempt together with the end of this one. */
export function tryAgain(
  part: ReadPart,
  { workspaceId, userId }: RunScope,
  learning: Learning | undefined,
  at: string | null,
): ((tx: Transaction) => Promise<void>) | undefined {
  if (!learning || at === null) return undefined;
  const job = {
    workspace_id: workspaceId,
    user_id: userId,
    part,
    ...learning,
    attempt: learning.attempt + 1,
  };
  return (tx) => learnAt(tx, job, new Date(at));
}

/** Enqueues a part of a site; one that waits already is moved. */
export async function learnAt(sql: Sql | Transaction, job: LearnJob, runAt: Date): Promise<void> {
  const key = `${learnTask.name} ${job.workspace_id} ${job.connection_id} ${job.part}`;
  await enqueue(sql, learnTask, job, { runAt, key });
}
