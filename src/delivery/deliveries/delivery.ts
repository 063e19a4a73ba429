import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { namedChannelSchema } from "../read/channel-name.ts";
import { statuses } from "./statuses.ts";

export const errorSchema = z.looseObject({ code: z.string(), message: z.string() });

/** For a post that named its channels; with the product's name if one is told how it ends. */
export const addressedSchema = z.object({
  product: z.string().optional(),
  user: z.string().optional(),
  run: z.string().optional(),
  step: z.string().optional(),
  wait_until: z.string().optional().describe("A person waits for it until then"),
  task: z.string().optional().describe("The job that tells its end"),
  told: z.string().optional().describe("The end that was told"),
  told_at: z.string().optional(),
  times_told: z.int().optional(),
});

/** What is known about the page of a post: written by `delivery.page_facts`. */
export const pageSchema = z.object({
  url: z.string(),
  step: z
    .enum(["read", "tell", "done"])
    .describe("What comes next: it is read back, search engines are told, nothing"),
  next_at: z.string().optional().describe("When the next step is due"),
  read_at: z.string().optional(),
  in_order: z.boolean().optional().describe("How reading it back ended"),
  findings: z
    .array(z.looseObject({ code: z.string(), message: z.string() }))
    .describe("What is wrong with it, or was when it was last read"),
  told_at: z.string().optional(),
  told: z
    .looseObject({ ok: z.boolean(), code: z.string(), message: z.string() })
    .optional()
    .describe("What search engines answered"),
});

/** A delivery as operators see it in a list, with only a snippet of the post. */
export const deliverySchema = z.object({
  id: z.string(),
  message_id: z.string(),
  channel: namedChannelSchema,
  status: z.enum(statuses),
  attempt: z.int(),
  requeues: z.int(),
  due_at: z.date().nullable().describe("The earliest time of the next step; null when it has ended"),
  addressed: addressedSchema.nullable().describe("null: it was routed"),
  held: z.string().nullable().describe("Why it is kept back; null when it is not"),
  error: errorSchema.nullable(),
  snippet: z.string(),
  provider_message_id: z.string().nullable(),
  sent_at: z.date().nullable(),
  withdrawn_at: z.date().nullable().describe("When it was taken back; null when it was not"),
  created_at: z.date(),
  updated_at: z.date(),
});

export type Delivery = z.infer<typeof deliverySchema>;

export const snippetLength = 160;

/** The columns of `Delivery`, from deliveries `d` and channels `c`. */
export function deliveryColumns(sql: Sql) {
  return sql`
    d.delivery_id as id, d.message_id,
    delivery.channel_facts(c) as channel,
    d.status, d.attempt, d.requeues,
    case when d.status in ('queued', 'retry') then d.due_at when d.status = 'claimed' then d.not_before end as due_at,
    delivery.addressed_facts(d) as addressed, d.hold_reason as held, delivery.error_of(d.last_error) as error,
    left(coalesce(d.rendered_text, ''), ${snippetLength}) as snippet,
    d.provider_message_id, d.sent_at, d.withdrawn_at, d.created_at, d.updated_at`;
}

const lossSchema = z.object({ code: z.string(), message: z.string() });

/** Where the post is to be seen, and what is missing there. */
export const placementSchema = z.object({
  url: z.string().nullable().describe("Where the provider shows the post"),
  losses: z.array(lossSchema).describe("What the provider took the post without, as only it could tell"),
  simplified: z.array(lossSchema).describe("What the platform cannot show, and what is done instead"),
});
export type Placement = z.infer<typeof placementSchema>;

/** The columns of `Placement`, from deliveries `d`. */
export function placementColumns(sql: Sql) {
  return sql`
    d.provider_meta ->> 'url' as url, coalesce(d.provider_meta -> 'losses', '[]') as losses,
    coalesce(d.render_meta #> '{compiled,losses}', '[]') as simplified`;
}
