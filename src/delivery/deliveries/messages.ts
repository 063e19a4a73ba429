import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { idAfter, type Page, type PageQuery, pageLimit, pageOf } from "../../workspaces/index.ts";
import { deliverySchema, errorSchema, snippetLength } from "./delivery.ts";
import { earliestIdAt } from "./earliest-id.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { type ReadersPost, readersPostOf, readersPostSchema } from "./readers-post.ts";
import { statuses } from "./statuses.ts";

/** How far the deliveries of a post came, as they are counted: what was taken back is not `sent` any more. */
export const messageStatuses = [...statuses, "withdrawn"] as const;

/** A post as operators see it: a snippet of it, and its progress. */
export const messageSchema = z.object({
  id: z.string(),
  snippet: z.string(),
  media: z.int().describe("How many pictures, videos and files it has"),
  tags: z.array(z.string()),
  source_ref: z.string().nullable(),
  seen_count: z.int().describe("How often the same post came in"),
  last_seen_at: z.date(),
  created_at: z.date(),
  deliveries: z
    .partialRecord(z.enum(messageStatuses), z.int())
    .describe("How many of its deliveries are in each status; `withdrawn`: sent, and taken back since"),
  came_by: z
    .object({ kind: z.string().nullable(), endpoint: z.string().nullable() })
    .describe("How it came in, and the name of its endpoint if there still is one"),
  error: errorSchema.nullable().describe("Of the newest of its deliveries that failed or is tried again"),
});

export type Message = z.infer<typeof messageSchema>;

export const messageDetailSchema = messageSchema.extend({
  content_hash: z.string(),
  hash_version: z.int(),
  trace_id: z.string().nullable(),
  ingest_run_id: z.string().nullable(),
  post: readersPostSchema.describe("As it was given"),
  corrected: readersPostSchema.nullable().describe("As the last correction has it; null if there was none"),
  items: z.array(deliverySchema).describe("Its deliveries, newest first, the first 200"),
});

export type MessageDetail = z.infer<typeof messageDetailSchema>;

const shownDeliveries = 200;

/** Newest first: a range of the primary key, because ids sort by time. */
export async function listMessages(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, since }: PageQuery & { readonly since?: Date | undefined },
): Promise<Page<Message>> {
  const before = idAfter(after);
  const rows = await sql<Message[]>`
    select ${messageColumns(sql)} from delivery.messages m
    where m.workspace_id = ${workspaceId}
      ${before ? sql`and m.message_id < ${before}` : sql``}
      ${since ? sql`and m.message_id >= ${earliestIdAt(since)}` : sql``}
    order by m.message_id desc limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

export async function showMessage(
  sql: Sql,
  workspaceId: string,
  messageId: string,
): Promise<MessageDetail | undefined> {
  const [found] = await sql<Row[]>`
    select ${messageColumns(sql)}, m.content_hash, m.hash_version,
      m.first_seen_trace_id as trace_id, m.first_ingest_run_id as ingest_run_id, m.payload,
      (select r.payload from delivery.revisions r
       where r.workspace_id = m.workspace_id and r.message_id = m.message_id
       order by r.revision_id desc limit 1) as revised
    from delivery.messages m where m.workspace_id = ${workspaceId} and m.message_id = ${messageId}`;
  if (!found) return undefined;
  const { payload, revised, ...row } = found;
  const { items } = await listDeliveries(sql, workspaceId, { limit: shownDeliveries, message_id: messageId });
  const corrected: ReadersPost | null = revised === null ? null : readersPostOf(revised);
  return { ...row, post: readersPostOf(payload), corrected, items };
}

type Row = Message &
  Omit<MessageDetail, keyof Message | "items" | "post" | "corrected"> & {
    readonly payload: unknown;
    readonly revised: unknown;
  };

function messageColumns(sql: Sql) {
  return sql`
    m.message_id as id, m.tags, m.source_ref, m.seen_count, m.last_seen_at, m.created_at,
    left(coalesce(delivery.visible_text(m.payload ->> 'text', m.payload ->> 'parse_mode'), ''), ${snippetLength}) as snippet,
    case jsonb_typeof(m.payload -> 'media') when 'array' then jsonb_array_length(m.payload -> 'media') else 0 end as media,
    (select coalesce(jsonb_object_agg(s.status, s.count), '{}')
     from (
       select case when d.withdrawn_at is null then d.status else 'withdrawn' end as status, count(*) from delivery.deliveries d
       where d.workspace_id = m.workspace_id and d.message_id = m.message_id group by 1
     ) s) as deliveries,
    jsonb_build_object(
      'kind', m.source ->> 'kind',
      'endpoint', (select e.meta ->> 'name' from delivery.workspace_endpoints e
                   where e.workspace_id = m.workspace_id and e.endpoint_id::text = m.source ->> 'endpoint_id')) as came_by,
    (select delivery.error_of(d.last_error) from delivery.deliveries d
     where d.workspace_id = m.workspace_id and d.message_id = m.message_id
       and d.status in ('failed_permanent', 'dead', 'retry') and d.last_error is not null
     order by d.delivery_id desc limit 1) as error`;
}
