import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { statuses } from "./statuses.ts";

export const errorSchema = z.looseObject({ code: z.string(), message: z.string() });

/** A delivery as operators see it in a list. The post itself is shown as a snippet only. */
export const deliverySchema = z.object({
  id: z.string(),
  message_id: z.string(),
  channel: z.object({ id: z.string(), title: z.string().nullable(), platform: z.string() }),
  status: z.enum(statuses),
  attempt: z.int(),
  requeues: z.int(),
  due_at: z.date().nullable().describe("The earliest time of the next step; null when it has ended"),
  held: z.string().nullable().describe("Why it is kept back; null when it is not"),
  error: errorSchema.nullable(),
  snippet: z.string(),
  provider_message_id: z.string().nullable(),
  sent_at: z.date().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
});

export type Delivery = z.infer<typeof deliverySchema>;

export const snippetLength = 160;

/** What `Delivery` has, of deliveries `d` and channels `c`. */
export function deliveryColumns(sql: Sql) {
  return sql`
    d.delivery_id as id, d.message_id,
    jsonb_build_object('id', c.channel_id, 'title', c.title, 'platform', c.platform) as channel,
    d.status, d.attempt, d.requeues,
    case when d.status in ('queued', 'retry') then d.due_at when d.status = 'claimed' then d.not_before end as due_at,
    d.hold_reason as held, delivery.error_of(d.last_error) as error,
    left(coalesce(d.rendered_text, ''), ${snippetLength}) as snippet,
    d.provider_message_id, d.sent_at, d.created_at, d.updated_at`;
}
