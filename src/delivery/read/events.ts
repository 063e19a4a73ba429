import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";

/** An event as operators read it. */
export const eventSchema = z.object({
  id: z.string(),
  ts: z.string(),
  action: z.string(),
  result: z.enum(["ok", "error"]),
  attempt: z.int(),
  delivery_id: z.string().nullable(),
  message_id: z.string().nullable(),
  channel: z.object({ id: z.string(), title: z.string().nullable(), platform: z.string() }).nullable(),
  error: z
    .looseObject({ code: z.string(), message: z.string(), category: z.string(), scope: z.string() })
    .nullable(),
  payload_ref: z
    .string()
    .nullable()
    .describe("The raw payload kept with it, for GET /payloads/{payload_ref}"),
  meta: z.record(z.string(), z.unknown()),
});

export type Event = z.infer<typeof eventSchema>;

export interface EventPage {
  readonly items: Event[];
  /** Give it as `before` to get the page of older events; null on the last page. */
  readonly next: string | null;
}

export interface EventQuery {
  readonly limit: number;
  readonly before?: EventCursor | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly result?: Event["result"] | undefined;
  readonly channelId?: string | undefined;
  readonly deliveryId?: string | undefined;
  readonly messageId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** The place of an event in the order of time. */
export interface EventCursor {
  readonly ts: string;
  readonly id: string;
}

/** The newest events first. Each filter has an index that ends in ts; only the partitions that the page touches are read. */
export async function latestEvents(sql: Sql, workspaceId: string, query: EventQuery): Promise<EventPage> {
  const { limit, before } = query;
  const rows = await sql<Event[]>`
    select ${eventColumns(sql)}
    from workspaces.events e
    left join delivery.channels c using (workspace_id, channel_id)
    where e.workspace_id = ${workspaceId} ${eventFilter(sql, query)}
      ${before ? sql`and e.ts <= ${before.ts} and (e.ts, e.id) < (${before.ts}::timestamptz, ${before.id}::uuid)` : sql``}
    order by e.ts desc, e.id desc
    limit ${limit + 1}`;
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? `${last.ts}~${last.id}` : null };
}

/** What `Event` has, of events `e` and channels `c`. */
export function eventColumns(sql: Sql) {
  return sql`
    e.id, to_char(e.ts at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ts, e.action, e.result, e.attempt,
    e.delivery_id, e.message_id, e.error, e.payload_ref, e.meta,
    case when c.channel_id is not null
      then jsonb_build_object('id', c.channel_id, 'title', c.title, 'platform', c.platform) end as channel`;
}

export function eventFilter(sql: Sql, query: Omit<EventQuery, "limit" | "before">) {
  const { actions, result, channelId, deliveryId, messageId, since, until } = query;
  return sql`
    ${actions ? sql`and e.action = any (${[...actions]})` : sql``}
    ${result ? sql`and e.result = ${result}` : sql``}
    ${channelId ? sql`and e.channel_id = ${channelId}` : sql``}
    ${deliveryId ? sql`and e.delivery_id = ${deliveryId}` : sql``}
    ${messageId ? sql`and e.message_id = ${messageId}` : sql``}
    ${since ? sql`and e.ts >= ${since}` : sql``}
    ${until ? sql`and e.ts < ${until}` : sql``}`;
}

export const eventCursor = z
  .string()
  .regex(/^[^~]+~[0-9a-f-]{36}$/, "Give the `next` of the page before")
  .transform((text): EventCursor => {
    const [ts = "", id = ""] = text.split("~");
    return { ts, id };
  })
  .refine(({ ts }) => !Number.isNaN(Date.parse(ts)), "Give the `next` of the page before");
