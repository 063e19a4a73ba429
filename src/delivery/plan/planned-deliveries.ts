import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { snippetLength } from "../deliveries/delivery.ts";
import { localTime } from "./local-time.ts";
import { type HeldDelivery, mostPlanned, type PlannedDelivery } from "./plan-shape.ts";

export interface DeliveriesWanted {
  readonly workspaceId: string;
  readonly channelId?: string | undefined;
  readonly to: Date;
  readonly now: Date;
}

/** When what waits goes out, with the configuration of another workspace id if one is given (delivery.copy_for_plan). */
export async function plannedDeliveries(
  sql: Sql | Transaction,
  { workspaceId, channelId, to, now }: DeliveriesWanted,
  configId = workspaceId,
): Promise<{ readonly deliveries: PlannedDelivery[]; readonly truncated: boolean }> {
  const rows = await sql<Omit<PlannedDelivery, "local">[]>`
    select ${waitingColumns(sql)}, p.fate, p.reason, p.due_at, case when p.fate <> 'later' then p.at end as at
    from delivery.plan(${workspaceId}, ${configId}, ${channelId ?? null}, ${to}, ${mostPlanned + 1}, ${now}) p
    join delivery.deliveries d on d.workspace_id = ${workspaceId} and d.delivery_id = p.delivery_id
    ${channelAndZone(sql)}
    order by p.at, p.due_at, d.delivery_id`;
  const deliveries = rows
    .slice(0, mostPlanned)
    .filter(({ channel }) => channelId === undefined || channel.id === channelId)
    .map((row) => ({ ...row, local: row.at && localTime(row.at, row.zone) }));
  return { deliveries, truncated: rows.length > mostPlanned };
}

/** The most that lists of what does not move show. */
export const mostStanding = 200;

export async function heldDeliveries(
  sql: Sql,
  workspaceId: string,
  channelId: string | undefined,
): Promise<{ readonly held: HeldDelivery[]; readonly count: number }> {
  const rows = await sql<(HeldDelivery & { count: number })[]>`
    select ${waitingColumns(sql)}, d.held_at, d.hold_reason, count(*) over ()::int as count
    from delivery.deliveries d
    ${channelAndZone(sql)}
    where d.workspace_id = ${workspaceId} and d.held_at is not null
      and d.status in ('queued', 'claimed', 'sending', 'retry') and d.status <> 'sending'
      ${channelId ? sql`and d.channel_id = ${channelId}` : sql``}
    order by d.held_at, d.delivery_id
    limit ${mostStanding}`;
  return { held: rows.map(({ count: _, ...row }) => row), count: rows[0]?.count ?? 0 };
}

function waitingColumns(sql: Sql | Transaction) {
  return sql`d.delivery_id as id, d.message_id, delivery.channel_facts(c) as channel, coalesce(c.timezone, w.timezone) as zone,
    left(coalesce(d.rendered_text, ''), ${snippetLength}) as snippet, d.status, d.attempt`;
}

function channelAndZone(sql: Sql | Transaction) {
  return sql`
    join delivery.channels c on c.workspace_id = d.workspace_id and c.channel_id = d.channel_id
    join workspaces.workspaces w on w.workspace_id = d.workspace_id`;
}
