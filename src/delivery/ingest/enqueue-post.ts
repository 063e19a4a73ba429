import type { Clock } from "../../kernel/clock/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import { type PushBody, pushBody } from "./body.ts";
import { prepareAndCompile } from "./prepare-and-compile.ts";

export interface EnqueueDeps {
  readonly platforms: Platforms;
  readonly clock: Clock;
}

export interface Enqueued {
  readonly message_id: string;
  readonly queued: number;
  readonly deduped: number;
  readonly failed_permanent: number;
  readonly skipped_inflight: number;
}

/** Puts a post of another module into the queue, within that module's transaction. */
export async function enqueuePost(
  tx: Transaction,
  workspaceId: string,
  kind: string,
  post: PushBody,
  { platforms, clock }: EnqueueDeps,
): Promise<Enqueued> {
  const prepared = await prepareAndCompile(tx, workspaceId, pushBody.parse(post), platforms);
  if ("fault" in prepared) throw new Error(`a post that cannot be enqueued: ${prepared.fault}`);
  const [row] = await tx<[{ counts: Enqueued }]>`
    select delivery.enqueue_post(
      ${workspaceId}, null, ${kind}, ${JSON.stringify(prepared.post)}::text::jsonb,
      ${JSON.stringify(prepared.compiled)}::text::jsonb, ${uuidv7(clock)}, null, ${clock.now()}) as counts`;
  return row.counts;
}
