import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { parsedUrl } from "../../kernel/url/index.ts";
import { idAfter, type Page, type PageQuery, pageLimit, pageOf } from "../../workspaces/index.ts";
import type { Webhook, WebhookMessage, WebhookMessageInFull } from "./webhook-shape.ts";

/** The webhooks of a workspace, oldest first. */
export async function webhookPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after }: PageQuery = {},
): Promise<Page<Webhook>> {
  const from = idAfter(after);
  const rows = await sql<Webhook[]>`
    select ${columns(sql)} from delivery.webhooks w
    where w.workspace_id = ${workspaceId} ${from ? sql`and w.webhook_id > ${from}` : sql``}
    order by w.webhook_id
    limit ${limit + 1}`;
  return pageOf(rows.map(shown), limit, ({ webhook_id }) => [webhook_id]);
}

export async function readWebhook(
  sql: Sql | Transaction,
  workspaceId: string,
  webhookId: string,
): Promise<Webhook> {
  const [row] = await sql<Webhook[]>`
    select ${columns(sql)} from delivery.webhooks w
    where w.workspace_id = ${workspaceId} and w.webhook_id = ${webhookId}`;
  if (!row) throw noWebhook(webhookId);
  return shown(row);
}

export interface MessageQuery extends PageQuery {
  readonly status?: WebhookMessage["status"] | undefined;
  readonly type?: string | undefined;
}

/** The messages of a webhook that are still kept, newest first: ids sort by time. */
export async function messagePage(
  sql: Sql,
  workspaceId: string,
  webhookId: string,
  { status, type, limit = pageLimit.usual, after }: MessageQuery = {},
): Promise<Page<WebhookMessage>> {
  await readWebhook(sql, workspaceId, webhookId);
  const from = idAfter(after);
  const rows = await sql<WebhookMessage[]>`
    select ${messageColumns(sql)}
    from delivery.webhook_messages m ${lastAttempt(sql)}
    where m.workspace_id = ${workspaceId} and m.webhook_id = ${webhookId}
      ${status ? sql`and m.status = ${status}` : sql``}
      ${type ? sql`and m.type = ${type}` : sql``}
      ${from ? sql`and m.event_id < ${from}` : sql``}
    order by m.event_id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ event_id }) => [event_id]);
}

/** One message with its body and every attempt. */
export async function readMessage(
  sql: Sql,
  workspaceId: string,
  webhookId: string,
  eventId: string,
): Promise<WebhookMessageInFull> {
  const [row] = await sql<WebhookMessageInFull[]>`
    select ${messageColumns(sql)}, m.payload, coalesce((
        select jsonb_agg(to_jsonb(l) - '{workspace_id,webhook_id,event_id}'::text[] order by l.number)
        from delivery.webhook_attempts l
        where l.workspace_id = m.workspace_id and l.webhook_id = m.webhook_id and l.event_id = m.event_id), '[]') as log
    from delivery.webhook_messages m ${lastAttempt(sql)}
    where m.workspace_id = ${workspaceId} and m.webhook_id = ${webhookId} and m.event_id = ${eventId}`;
  if (!row) throw problem("not_found", { detail: `The webhook has no message ${eventId}.` });
  return row;
}

export function noWebhook(webhookId: string) {
  return problem("not_found", { detail: `There is no webhook ${webhookId}.` });
}

/** The path and the query of an address often hold a key. */
function shown(row: Webhook): Webhook {
  const address = parsedUrl(row.url);
  if (!address) return { ...row, url: "…" };
  const { origin, pathname, search } = address;
  return { ...row, url: pathname === "/" && !search ? origin : `${origin}/…` };
}

function columns(sql: Sql | Transaction) {
  return sql`w.webhook_id, w.url, w.description, w.types, w.channel_ids, w.enabled, w.disabled_reason, w.failing_since,
    w.previous_ends_at, w.created_at, w.updated_at,
    (select count(*)::int from delivery.webhook_messages m
     where m.workspace_id = w.workspace_id and m.webhook_id = w.webhook_id and m.status = 'waiting') as waiting,
    (select count(*)::int from delivery.webhook_messages m
     where m.workspace_id = w.workspace_id and m.webhook_id = w.webhook_id and m.status = 'failed') as failed`;
}

function messageColumns(sql: Sql) {
  return sql`m.event_id, m.type, m.channel_id, m.status, m.attempts,
    case m.status when 'waiting' then m.due_at end as next_attempt_at, a.response_status, a.error, m.created_at, m.ended_at`;
}

function lastAttempt(sql: Sql) {
  return sql`left join lateral (
    select l.response_status, l.error from delivery.webhook_attempts l
    where l.workspace_id = m.workspace_id and l.webhook_id = m.webhook_id and l.event_id = m.event_id
    order by l.number desc limit 1) a on true`;
}
