import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import {
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
  timeAndId,
} from "../../workspaces/index.ts";
import { namedChannelSchema } from "./channel-name.ts";

/** An event as operators read it. */
export const eventSchema = z.object({
  id: z.string(),
  ts: z.string(),
  action: z.string(),
  result: z.enum(["ok", "error"]),
  attempt: z.int(),
  delivery_id: z.string().nullable(),
  message_id: z.string().nullable(),
  channel: namedChannelSchema.nullable(),
  error: z
    .looseObject({ code: z.string(), message: z.string(), category: z.string(), scope: z.string() })
    .nullable(),
  payload_ref: z
    .string()
    .nullable()
    .describe("The raw payload kept with it, for GET /payloads/{payload_ref}"),
  by: z
    .string()
    .nullable()
    .describe("The present name of the operator or token that did it; `meta.operator` has the id"),
  meta: z.record(z.string(), z.unknown()),
});

export type Event = z.infer<typeof eventSchema>;

export interface EventFilter {
  readonly action?: readonly string[] | undefined;
  readonly result?: Event["result"] | undefined;
  readonly channel_id?: string | undefined;
  readonly delivery_id?: string | undefined;
  readonly message_id?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Newest first. Each filter has an index that ends in ts; only the partitions of the page are read. */
export async function latestEvents(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, ...filter }: EventFilter & PageQuery,
): Promise<Page<Event>> {
  const [ts, id] = placeAfter(after, timeAndId) ?? [];
  const rows = await sql<Event[]>`
    select ${eventColumns(sql)}
    from workspaces.events e
    left join delivery.channels c using (workspace_id, channel_id)
    where e.workspace_id = ${workspaceId} ${eventFilter(sql, filter)}
      ${ts && id ? sql`and e.ts <= ${ts} and (e.ts, e.id) < (${ts}::timestamptz, ${id}::uuid)` : sql``}
    order by e.ts desc, e.id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ ts, id }) => [ts, id]);
}

/** The columns of `Event`, from events `e` and channels `c`. */
export function eventColumns(sql: Sql) {
  return sql`
    e.id, to_char(e.ts at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ts, e.action, e.result, e.attempt,
    e.delivery_id, e.message_id, e.error, e.payload_ref, e.meta,
    workspaces.actor_name(coalesce(
      e.meta ->> 'operator',
      (e.meta #>> '{caller,kind}') || ':' || (e.meta #>> '{caller,id}'))) as by,
    case when c.channel_id is not null
      then delivery.channel_facts(c) end as channel`;
}

export function eventFilter(sql: Sql, filter: EventFilter) {
  const { action, result, channel_id, delivery_id, message_id, since, until } = filter;
  return sql`
    ${action ? sql`and e.action = any (${[...action]})` : sql``}
    ${result ? sql`and e.result = ${result}` : sql``}
    ${channel_id ? sql`and e.channel_id = ${channel_id}` : sql``}
    ${delivery_id ? sql`and e.delivery_id = ${delivery_id}` : sql``}
    ${message_id ? sql`and e.message_id = ${message_id}` : sql``}
    ${since ? sql`and e.ts >= ${since}` : sql``}
    ${until ? sql`and e.ts < ${until}` : sql``}`;
}
