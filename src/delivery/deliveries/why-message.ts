import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { type Unrouted, unroutedSchema } from "../ingest/unrouted.ts";
import {
  type Delivery,
  deliveryColumns,
  deliverySchema,
  type Placement,
  placementColumns,
  placementSchema,
} from "./delivery.ts";
import { defaultLeases, type Leases, type Why, whySchema } from "./why.ts";

/** Why a post is not (yet) sent everywhere: one reason for each of its channels, or why no channel takes it. */
export const messageWhySchema = z.object({
  message_id: z.string(),
  items: z
    .array(deliverySchema.extend({ ...placementSchema.shape, why: whySchema }))
    .describe("Its deliveries, newest first, the first 200"),
  unrouted: unroutedSchema.nullable().describe("Set when it has no deliveries"),
});
export type MessageWhy = z.infer<typeof messageWhySchema>;

const shownDeliveries = 200;

export async function whyMessage(
  sql: Sql,
  workspaceId: string,
  messageId: string,
  now: Date,
  { sendingSeconds, claimedSeconds }: Leases = defaultLeases,
): Promise<MessageWhy | undefined> {
  const [message] = await sql<{ unrouted: Unrouted }[]>`
    select delivery.unrouted(m.workspace_id, m.tags) as unrouted from delivery.messages m
    where m.workspace_id = ${workspaceId} and m.message_id = ${messageId}`;
  if (!message) return undefined;
  const rows = await sql<(Delivery & Placement & Why)[]>`
    select ${deliveryColumns(sql)}, ${placementColumns(sql)}, w.reason, w.since, w.expected_at, w.details
    from delivery.deliveries d
    join delivery.channels c using (workspace_id, channel_id)
    join delivery.messages m using (workspace_id, message_id)
    cross join lateral delivery.why(
      d.workspace_id, d.delivery_id, ${now},
      make_interval(secs => ${sendingSeconds}), make_interval(secs => ${claimedSeconds})) w
    where d.workspace_id = ${workspaceId} and d.message_id = ${messageId}
    order by d.delivery_id desc limit ${shownDeliveries}`;
  return {
    message_id: messageId,
    items: rows.map(({ reason, since, expected_at, details, ...delivery }) => ({
      ...delivery,
      why: { reason, since, expected_at, details },
    })),
    unrouted: rows.length > 0 ? null : message.unrouted,
  };
}
