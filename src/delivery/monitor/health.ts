import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";

const count = z.int();
const endings = z.object({ sent: count, deduped: count, failed_permanent: count, dead: count });

/** The result of `delivery.health_snapshot`. */
export const healthSnapshotSchema = z.object({
  at: z.string(),
  by_status: z.object({ queued: count, claimed: count, sending: count, retry: count, dead: count }),
  last_24h: endings,
  totals: endings.describe("Since counting began"),
  dead_deliveries: count,
  failed_permanent_10m: count,
  paused_channels: count,
  disabled_channels: count,
  silent_channels: count,
  orphan_events: count,
  oldest_due_seconds: z.number().describe("Age of the oldest delivery that is due, paused channels included"),
  lag_seconds: z.number().describe("The same without what a pause, a cooldown or a switch keeps back"),
  ingress_24h: z.object({ rate_limited: count, payload_rejected: count, dedup_dropped: count }),
  top_errors: z
    .array(
      z.object({
        code: z.string(),
        count,
        channels: count,
        last_message: z.string().nullable(),
        last_at: z.string(),
      }),
    )
    .describe("Of the last hour"),
});

export type HealthSnapshot = z.infer<typeof healthSnapshotSchema>;

/** The health of one workspace, or of all together. */
export async function healthSnapshot(
  sql: Sql,
  workspaceId: string | undefined,
  now: Date,
): Promise<HealthSnapshot> {
  const [row] = await sql`
    select delivery.health_snapshot(${workspaceId ?? null}, ${now}) as snapshot`;
  return healthSnapshotSchema.parse(row?.snapshot);
}
