import type { Sql } from "../../kernel/db/index.ts";
import { cursorOf, idAfter, type Page, type PageQuery, pageLimit } from "../../workspaces/index.ts";
import { type Delivery, deliveryColumns } from "./delivery.ts";
import { earliestIdAt } from "./earliest-id.ts";
import { isLive, type Status } from "./statuses.ts";

export interface DeliveryFilter {
  readonly status?: readonly Status[] | undefined;
  readonly channel_id?: string | undefined;
  readonly message_id?: string | undefined;
  readonly since?: Date | undefined;
}

/** The filter with the page: deliveries older than `before`, and how many. */
interface Search extends DeliveryFilter {
  readonly limit: number;
  readonly before: string | undefined;
}

/** The most deliveries that one page reads while it searches history for a rare status. */
const longestLook = 20_000;

/**
 * Newest first. Ids sort by time, so a page of history is a range of the primary key or of deliveries_ended, read backwards and
 * never further than `longestLook`: a page may be short, even empty, and still have a next one.
 */
export async function listDeliveries(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, ...filter }: DeliveryFilter & PageQuery,
): Promise<Page<Delivery>> {
  const found = await pageOfIds(sql, workspaceId, { ...filter, limit, before: idAfter(after) });
  const ids = found.ids.slice(0, limit);
  const items = await sql<Delivery[]>`
    select ${deliveryColumns(sql)}
    from delivery.deliveries d
    join delivery.channels c using (workspace_id, channel_id)
    where d.workspace_id = ${workspaceId} and d.delivery_id = any (${ids})
    order by d.delivery_id desc`;
  const last = found.ids.length > limit ? ids.at(-1) : found.lookOnFrom;
  return { items, next: last ? cursorOf([last]) : null };
}

/** Up to one id more than the page holds, and where to continue if the search stopped before the end of history. */
interface FoundIds {
  readonly ids: string[];
  readonly lookOnFrom: string | null;
}

async function pageOfIds(sql: Sql, workspaceId: string, query: Search): Promise<FoundIds> {
  if (query.message_id || isInSmallIndex(query.status)) {
    return { ids: await idsOfFew(sql, workspaceId, query), lookOnFrom: null };
  }
  return idsOfHistory(sql, workspaceId, query);
}

/** Live and dead deliveries have their own partial indexes, so all of them are read instead of history. */
function isInSmallIndex(asked: readonly Status[] | undefined): boolean {
  return asked !== undefined && (asked.every(isLive) || asked.every((status) => status === "dead"));
}

/** The set is small, so it is found first and sorted afterwards: `materialized` keeps the planner from reading by id. */
async function idsOfFew(sql: Sql, workspaceId: string, query: Search): Promise<string[]> {
  const { status: statuses, message_id, limit } = query;
  const small = message_id
    ? sql`message_id = ${message_id} ${statuses ? sql`and status = any (${[...statuses]})` : sql``}`
    : statuses?.every(isLive)
      ? sql`status in ('queued', 'claimed', 'sending', 'retry') and status = any (${[...statuses]})`
      : sql`status = 'dead'`;
  const rows = await sql<{ id: string }[]>`
    with few as materialized (
      select delivery_id as id, channel_id from delivery.deliveries where workspace_id = ${workspaceId} and ${small}
    )
    select id from few where true ${within(sql, sql`id`, query)}
      ${query.channel_id ? sql`and channel_id = ${query.channel_id}` : sql``}
    order by id desc limit ${limit + 1}`;
  return rows.map(({ id }) => id);
}

async function idsOfHistory(sql: Sql, workspaceId: string, query: Search): Promise<FoundIds> {
  const { status: statuses, limit } = query;
  if (!statuses) {
    const rows = await sql<{ id: string }[]>`${newest(sql, workspaceId, query, limit + 1)}`;
    return { ids: rows.map(({ id }) => id), lookOnFrom: null };
  }
  const looked = newest(sql, workspaceId, query, longestLook);
  const rows = await sql<{ id: string }[]>`
    select id from (${looked}) as looked
    where status = any (${[...statuses]}) order by id desc limit ${limit + 1}`;
  const ids = rows.map(({ id }) => id);
  if (ids.length > limit) return { ids, lookOnFrom: null };
  const [last] = await sql<{ id: string }[]>`
    select id from (${looked}) as looked order by id desc offset ${longestLook - 1} limit 1`;
  return { ids, lookOnFrom: last?.id ?? null };
}

/** Ids and statuses, at most `most`. Those of a channel are the ended ones plus the few that are still live. */
function newest(sql: Sql, workspaceId: string, query: Search, most: number) {
  const { channel_id } = query;
  if (!channel_id)
    return sql`
      select delivery_id as id, status from delivery.deliveries
      where workspace_id = ${workspaceId} ${within(sql, sql`delivery_id`, query)}
      order by delivery_id desc limit ${most}`;
  return sql`
    with live as materialized (
      select delivery_id as id, status from delivery.deliveries
      where workspace_id = ${workspaceId} and channel_id = ${channel_id}
        and status in ('queued', 'claimed', 'sending', 'retry')
    ),
    ended as materialized (
      select delivery_id as id, status from delivery.deliveries
      where workspace_id = ${workspaceId} and channel_id = ${channel_id}
        and (status in ('sent', 'deduped', 'failed_permanent', 'dead')) is true ${within(sql, sql`delivery_id`, query)}
      order by delivery_id desc limit ${most}
    )
    select id, status from (
      select id, status from ended
      union all
      select id, status from live where true ${within(sql, sql`id`, query)}
    ) as all_of_channel
    order by id desc limit ${most}`;
}

function within(sql: Sql, id: ReturnType<Sql>, { before, since }: Search) {
  return sql`
    ${before ? sql`and ${id} < ${before}::uuid` : sql``}
    ${since ? sql`and ${id} >= ${earliestIdAt(since)}::uuid` : sql``}`;
}
