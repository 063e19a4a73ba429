import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { namedChannelSchema } from "../read/channel-name.ts";
import { liveStatuses } from "./statuses.ts";

const count = z.int();

const channelQueue = z.object({
  channel: namedChannelSchema,
  block: z.string().nullable().describe("What keeps the whole channel back now"),
  connection: z.string().nullable().describe("Of a connection: its state; null: a routed channel"),
  queued: count,
  claimed: count,
  sending: count,
  retry: count,
  held: count,
  due: count.describe("Waiting, and their time has come"),
  next_due_at: z.string().nullable(),
});

/** A snapshot of the queue, as in the runbook. */
export const queueSchema = z.object({
  at: z.string(),
  by_status: z.record(z.enum([...liveStatuses, "dead"]), count),
  held: count,
  due: count,
  channels: z.array(channelQueue).describe("Those with the most to do first, 100 at most"),
});

export type Queue = z.infer<typeof queueSchema>;

export async function queueSnapshot(sql: Sql, workspaceId: string, now: Date): Promise<Queue> {
  const [row] = await sql<[{ queue: Queue }]>`
    select delivery.queue_snapshot(${workspaceId}, p_now => ${now}) as queue`;
  return row.queue;
}
