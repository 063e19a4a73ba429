import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import type { PushBody } from "./body.ts";
import type { Endpoint } from "./endpoint.ts";
import { addressError } from "./post-errors.ts";
import { prepareAndCompile, type Unpreparable } from "./prepare-and-compile.ts";
import { unroutedSchema } from "./unrouted.ts";

export interface IngestDeps {
  readonly sql: Sql;
  readonly platforms: Platforms;
  readonly clock: Clock;
}

const accepted = z.object({
  ok: z.literal(true),
  run_id: z.string(),
  message_id: z.string(),
  queued: z.int().describe("Channels the post is on its way to"),
  deduped: z.int().describe("Channels that had it recently"),
  failed_permanent: z.int().describe("Channels that cannot take it; their events say why"),
  skipped_inflight: z.int().describe("Channels it is already on its way to"),
  unrouted: unroutedSchema.optional().describe("Only when no channel takes it: why"),
});

const dropped = z.object({
  ok: z.literal(true),
  run_id: z.string(),
  dropped: z.literal(true),
  reason: z.literal("ingress_dedup_dropped"),
});

/** The result for a post that was accepted. */
export const acceptedSchema = z.union([accepted, dropped]);
export type Accepted = z.infer<typeof acceptedSchema>;

/** Takes a post from its endpoint into the queue. `payloadRef` says where its raw body is stored, if it is. */
export async function acceptPost(
  body: PushBody,
  { workspaceId, endpointId }: Pick<Endpoint, "workspaceId" | "endpointId">,
  { sql, platforms, clock }: IngestDeps,
  payloadRef?: string,
): Promise<Accepted | Unpreparable> {
  const prepared = await prepareAndCompile(sql, workspaceId, body, platforms);
  if ("fault" in prepared) return prepared;
  try {
    const [row] = await sql<[{ answer: Accepted }]>`
      select delivery.accept_push(
        ${workspaceId}, ${endpointId}, ${uuidv7(clock)}, ${JSON.stringify(prepared.post)}::text::jsonb,
        ${JSON.stringify(prepared.compiled)}::text::jsonb, ${payloadRef ?? null}, ${clock.now()}) as answer`;
    return row.answer;
  } catch (error) {
    const fault = addressError(error);
    if (fault === undefined) throw error;
    return { fault };
  }
}
