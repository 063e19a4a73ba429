import type { Clock } from "../../kernel/clock/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import { type PushBody, pushBody } from "./body.ts";
import { compileForProfiles, type Profile } from "./compile-for-profiles.ts";

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

/** A post of another module into the queue, within that module's own change: compiled here, enqueued in SQL. */
export async function enqueuePost(
  tx: Transaction,
  workspaceId: string,
  kind: string,
  post: PushBody,
  { platforms, clock }: EnqueueDeps,
): Promise<Enqueued> {
  const raw = JSON.stringify(pushBody.parse(post));
  const [prepared] = await tx<[{ payload: unknown; profiles: Profile[] }]>`
    select payload, profiles from delivery.prepare_post(${workspaceId}, ${raw}::text::jsonb)`;
  const renderings = compileForProfiles(prepared.payload, prepared.profiles, platforms);
  const [row] = await tx<[{ counts: Enqueued }]>`
    select delivery.enqueue_messages_and_deliveries(${workspaceId}, null, ${kind}, ${raw}::text::jsonb, ${clock.now()},
      ${JSON.stringify(renderings)}::text::jsonb, ${uuidv7(clock)}) as counts`;
  return row.counts;
}
