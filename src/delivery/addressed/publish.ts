import type { ProblemError } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type PushBody, readPost } from "../ingest/body.ts";
import type { EnqueueDeps } from "../ingest/enqueue-post.ts";
import { parsePostErrors } from "../ingest/post-errors.ts";
import { prepareAndCompile } from "../ingest/prepare-and-compile.ts";
import type { EndTask } from "./delivery-end.ts";

/** The owner of a connection: a user of a product, by the product's own id of the user. */
export interface Owner {
  readonly product: string;
  readonly user: string;
}

/** A product's post to connections of one of its users. */
export interface AddressedPost<Given> {
  readonly owner: Owner;
  /** The unit of work and its step. A repeat is recognised by these, never by content. */
  readonly run: string;
  readonly step: string;
  readonly channelIds: readonly string[];
  readonly post: Omit<PushBody, "channel_ids">;
  /** The job that is enqueued when a delivery ends, in the transaction that ends it. */
  readonly end: { readonly task: EndTask<Given>; readonly given: NoInfer<Given> };
  /** Set if a person waits for it: a post that is not sent by then is cancelled, after a look-up if it may have arrived. */
  readonly waitUntil?: Date | undefined;
}

/** How long a person waits for a post. */
export const personWaitsMs = 3 * 60_000;

/** How the error of a delivery begins that did not arrive in that time; `delivery.waited_too_long` writes the same. */
export const waitedInVain = "it was not sent while a person waited for it";

export interface PublishedDelivery {
  readonly delivery_id: string;
  readonly channel_id: string;
  readonly message_id: string;
  readonly status: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The deliveries (those of the first time if the step was published before), or the errors, and then nothing is published. */
export type Published =
  | { readonly repeated: boolean; readonly deliveries: readonly PublishedDelivery[] }
  | { readonly faults: readonly ProblemError[] };

/** Publishes within the product's own transaction: if that does not commit, nothing is published and nobody is told. */
export async function publishAddressed<Given>(
  tx: Transaction,
  workspaceId: string,
  { owner, run, step, channelIds, post, end, waitUntil }: AddressedPost<Given>,
  { platforms, clock }: EnqueueDeps,
): Promise<Published> {
  const given = end.task.checkGiven(end.given);
  const before = await publishedBefore(tx, workspaceId, owner, { run, step });
  if (before.length > 0) return { repeated: true, deliveries: before };
  const read = readPost({ ...post, channel_ids: channelIds });
  if ("faults" in read) return read;
  const prepared = await prepareAndCompile(tx, workspaceId, read.post, platforms, owner);
  if ("fault" in prepared) return { faults: parsePostErrors(prepared.fault) };
  const { task } = end;
  const promise = {
    ...{ ...owner, run, step, task: task.name, given },
    ...(task.maxAttempts !== undefined && { max_attempts: task.maxAttempts }),
    ...(waitUntil && { wait_until: waitUntil }),
  };
  const [{ answer }] = await tx<[{ answer: { repeated: boolean; deliveries: PublishedDelivery[] } }]>`
    select delivery.enqueue_addressed(
      ${workspaceId}, ${JSON.stringify(promise)}::text::jsonb, ${JSON.stringify(read.post)}::text::jsonb,
      ${JSON.stringify(prepared.compiled)}::text::jsonb, ${clock.now()}) as answer`;
  return answer;
}

/** The deliveries that a step of a product's run created, in their current state; none once they are no longer kept. */
export async function publishedBefore(
  sql: Sql | Transaction,
  workspaceId: string,
  { product }: Owner,
  { run, step }: { readonly run: string; readonly step: string },
): Promise<readonly PublishedDelivery[]> {
  const [{ before }] = await sql<[{ before: PublishedDelivery[] | null }]>`
    select delivery.addressed_before(${workspaceId}, ${product}, ${run}, ${step}) as before`;
  return before ?? [];
}
