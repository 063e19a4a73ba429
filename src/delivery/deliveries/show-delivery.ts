import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { correctionSchema, listCorrections } from "../corrections/correction.ts";
import { eventSchema, latestEvents } from "../read/events.ts";
import {
  type Delivery,
  deliveryColumns,
  deliverySchema,
  pageSchema,
  placementColumns,
  placementSchema,
  snippetLength,
} from "./delivery.ts";
import { type Leases, why, whySchema } from "./why.ts";

/** One delivery with its details. */
export const deliveryDetailSchema = deliverySchema.extend({
  trace_id: z.string().nullable(),
  scheduled_for: z.date().nullable(),
  template_version: z.string().nullable(),
  ...placementSchema.shape,
  page: pageSchema.nullable().describe("null: the post is no public page"),
  message: z.object({
    id: z.string(),
    snippet: z.string(),
    tags: z.array(z.string()),
    source_ref: z.string().nullable(),
    created_at: z.string(),
  }),
  why: whySchema,
  corrections: z
    .array(correctionSchema)
    .describe("What was done to it after it was sent, newest first; the text as it was sent is `snippet`"),
  events: z.array(eventSchema).describe("What happened to it, newest first"),
});

export type DeliveryDetail = z.infer<typeof deliveryDetailSchema>;

const shownEvents = 100;
const shownCorrections = 50;

export async function showDelivery(
  sql: Sql,
  workspaceId: string,
  deliveryId: string,
  now: Date,
  leases?: Leases,
): Promise<DeliveryDetail | undefined> {
  const [row] = await sql<
    (Delivery & Omit<DeliveryDetail, keyof Delivery | "why" | "corrections" | "events">)[]
  >`
    select ${deliveryColumns(sql)}, d.trace_id, d.scheduled_for, d.template_version, ${placementColumns(sql)},
      delivery.page_facts(d) as page,
      jsonb_build_object(
        'id', m.message_id, 'tags', m.tags, 'source_ref', m.source_ref, 'created_at', m.created_at,
        'snippet', left(coalesce(delivery.visible_text(m.payload ->> 'text', m.payload ->> 'parse_mode'), ''),
                        ${snippetLength})) as message
    from delivery.deliveries d
    join delivery.channels c using (workspace_id, channel_id)
    join delivery.messages m using (workspace_id, message_id)
    where d.workspace_id = ${workspaceId} and d.delivery_id = ${deliveryId}`;
  if (!row) return undefined;
  const [reason, corrections, events] = await Promise.all([
    why(sql, workspaceId, deliveryId, now, leases),
    listCorrections(sql, workspaceId, { delivery_id: deliveryId, limit: shownCorrections }, now, leases),
    latestEvents(sql, workspaceId, { limit: shownEvents, delivery_id: deliveryId }),
  ]);
  return reason && { ...row, why: reason, corrections: corrections.items, events: events.items };
}
