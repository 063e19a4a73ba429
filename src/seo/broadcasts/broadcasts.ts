/** News for many people: to whom, how far it is, and its end. */
import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { enqueue, type Task } from "../../kernel/jobs/index.ts";
import { type Page, type PageQuery, pageLimit, pageOf, placeAfter } from "../../workspaces/index.ts";

export const audiences = ["all", "active_7d", "active_30d", "paid"] as const;
export type Audience = (typeof audiences)[number];

export const noticeKinds = ["low_balance", "weekly_digest", "reactivation"] as const;
export type NoticeKind = (typeof noticeKinds)[number];
export type BroadcastKind = "news" | NoticeKind;

export const broadcastShape = z
  .object({
    id: z.int(),
    kind: z.enum(["news", ...noticeKinds]),
    by_user: z
      .int()
      .nullable()
      .describe("The administrator who sent it; null if it is automatic or came over HTTP"),
    audience: z.enum(audiences).nullable(),
    text: z.string().nullable().describe("Null if every recipient has a text of their own"),
    status: z.enum(["sending", "done", "stopped"]),
    created_at: z.date(),
    ended_at: z.date().nullable(),
    recipients: z.int(),
    left: z.int(),
    sent: z.int(),
    blocked: z.int(),
    failed: z.int().describe("Refused, or nobody knows whether it came"),
  })
  .meta({ id: "SeoBroadcast" });
export type Broadcast = z.infer<typeof broadcastShape>;

export interface BroadcastJob {
  readonly workspace_id: string;
  readonly broadcast_id: number;
}

const day = 86_400_000;

/** Whoever has switched news off or blocked the bot is in no audience. */
function audienceOf(sql: Sql | Transaction, workspaceId: string, audience: Audience, now: Date) {
  const since = (days: number) => new Date(now.getTime() - days * day);
  const which = {
    all: () => sql``,
    active_7d: () => sql`and u.last_activity >= ${since(7)}`,
    active_30d: () => sql`and u.last_activity >= ${since(30)}`,
    paid: () => sql`and exists (
      select from billing.payments p
      where p.workspace_id = u.workspace_id and p.user_id = u.id and p.status = 'completed')`,
  }[audience]();
  return sql`from seo.users u where u.workspace_id = ${workspaceId} and u.notify_news and u.blocked_at is null ${which}`;
}

/** How many people would get it now. */
export async function countAudience(
  sql: Sql | Transaction,
  workspaceId: string,
  audience: Audience,
  now: Date,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count ${audienceOf(sql, workspaceId, audience, now)}`;
  return row.count;
}

export interface NewBroadcast {
  readonly workspaceId: string;
  /** Null if no chat waits for its end. */
  readonly byUser: number | null;
  readonly audience: Audience;
  readonly text: string;
  /** A repeat with the same key gets the first broadcast. */
  readonly requestKey?: string | undefined;
}

/** Begins to send. Undefined while another one is being sent. */
export async function beginBroadcast(
  tx: Transaction,
  task: Task<BroadcastJob>,
  { workspaceId, byUser, audience, text, requestKey }: NewBroadcast,
  now: Date,
): Promise<number | undefined> {
  const [begun] = await tx<{ id: number }[]>`
    insert into seo.broadcasts (workspace_id, by_user, audience, text, request_key, created_at)
    values (${workspaceId}, ${byUser}, ${audience}, ${text}, ${requestKey ?? null}, ${now})
    on conflict do nothing
    returning id`;
  if (!begun) return undefined;
  await tx`
    insert into seo.broadcast_recipients (workspace_id, broadcast_id, place, user_id)
    select ${workspaceId}, ${begun.id}, row_number() over (order by u.id), u.id
    ${audienceOf(tx, workspaceId, audience, now)}`;
  await enqueue(
    tx,
    task,
    { workspace_id: workspaceId, broadcast_id: begun.id },
    { key: keyOf(workspaceId, begun.id) },
  );
  return begun.id;
}

/** The broadcast that was begun with this key. */
export async function broadcastBy(
  sql: Sql | Transaction,
  workspaceId: string,
  requestKey: string,
): Promise<number | undefined> {
  const [known] = await sql<{ id: number }[]>`
    select id from seo.broadcasts where workspace_id = ${workspaceId} and request_key = ${requestKey}`;
  return known?.id;
}

export const keyOf = (workspaceId: string, id: number) => `seo.broadcast/${workspaceId}/${id}`;

/** False if it has ended. Messages that are on their way are still sent. */
export async function stopBroadcast(
  sql: Sql | Transaction,
  workspaceId: string,
  id: number,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update seo.broadcasts set status = 'stopped', ended_at = ${now}, token = null, leased_until = null
    where workspace_id = ${workspaceId} and id = ${id} and status = 'sending' returning id`;
  return rows.length > 0;
}

export async function readBroadcast(
  sql: Sql | Transaction,
  workspaceId: string,
  id: number,
): Promise<Broadcast | undefined> {
  const [row] = await sql`${selected(sql)} where b.workspace_id = ${workspaceId} and b.id = ${id}`;
  return row && broadcastShape.parse(row);
}

/** The one that is being sent, if any. */
export async function broadcastUnderWay(
  sql: Sql | Transaction,
  workspaceId: string,
): Promise<Broadcast | undefined> {
  const [row] = await sql`
    ${selected(sql)} where b.workspace_id = ${workspaceId} and b.status = 'sending' and b.kind = 'news'`;
  return row && broadcastShape.parse(row);
}

/** The newest first. */
export async function lastBroadcasts(
  sql: Sql | Transaction,
  workspaceId: string,
  count: number,
): Promise<readonly Broadcast[]> {
  const rows = await sql`
    ${selected(sql)} where b.workspace_id = ${workspaceId} and b.kind = 'news' order by b.id desc limit ${count}`;
  return rows.map((row) => broadcastShape.parse(row));
}

/** Everything that was sent, notices too, the newest first. */
export async function broadcastPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, kind }: PageQuery & { readonly kind?: BroadcastKind | undefined },
): Promise<Page<Broadcast>> {
  const [from] = placeAfter(after, z.tuple([z.int()])) ?? [];
  const rows = await sql`
    ${selected(sql)} where b.workspace_id = ${workspaceId}
      ${kind === undefined ? sql`` : sql`and b.kind = ${kind}`} ${from === undefined ? sql`` : sql`and b.id < ${from}`}
    order by b.id desc limit ${limit + 1}`;
  return pageOf(
    rows.map((row) => broadcastShape.parse(row)),
    limit,
    ({ id }) => [id],
  );
}

const selected = (sql: Sql | Transaction) => sql`
  select b.id, b.kind, b.by_user, b.audience, b.text, b.status, b.created_at, b.ended_at, r.*
  from seo.broadcasts b
  cross join lateral (
    select count(*)::int as recipients,
      count(*) filter (where r.status in ('waiting', 'sending'))::int as left,
      count(*) filter (where r.status = 'sent')::int as sent,
      count(*) filter (where r.status = 'blocked')::int as blocked,
      count(*) filter (where r.status in ('failed', 'unknown'))::int as failed
    from seo.broadcast_recipients r where r.workspace_id = b.workspace_id and r.broadcast_id = b.id) r`;
