import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
  timeAndId,
} from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";

/** Tasks of accounts and deliveries of bots, in one form. */
export const taskStatuses = ["pending", "processing", "completed", "failed", "flood_wait"] as const;

export const taskSchema = z.object({
  type: z.enum(["account", "bot"]),
  id: z.uuid().describe("For a bot: the id of the delivery"),
  status: z.enum(taskStatuses),
  owner: z.string().nullable(),
  origin: z.enum(["daily", "config", "manual"]).nullable(),
  object_id: z.uuid(),
  object: z.string().nullable().describe("Its title; null when it was deleted"),
  chat_id: z.uuid(),
  chat: z.string().nullable(),
  account_id: z.uuid().nullable(),
  account: z.string().nullable(),
  scheduled_time: z.date(),
  held: z.boolean().describe("Its account is off: the task is rescheduled when the account is switched on"),
  started_at: z.date().nullable(),
  completed_at: z.date().nullable(),
  attempts: z.int(),
  reason: z.string().nullable().describe("The code of last_error"),
  last_error: z.string().nullable(),
  message_id: z.string().nullable().describe("Telegram's message id"),
});
export type Task = z.output<typeof taskSchema>;

interface TaskQuery extends PageQuery {
  readonly type?: "account" | "bot" | "all" | undefined;
  readonly status?: string | undefined;
  readonly account_id?: string | undefined;
  readonly object_id?: string | undefined;
  readonly chat_id?: string | undefined;
}

/** Latest scheduled time first, in one order over both kinds, so that no page loses or repeats a row. */
export async function taskPage(
  sql: Sql,
  workspaceId: string,
  who: Who,
  { type = "all", status, account_id, object_id, chat_id, limit = pageLimit.usual, after }: TaskQuery,
): Promise<Page<Task>> {
  const from = placeAfter(after, timeAndId);
  // Each kind is limited by its own index before the union.
  const newest = (tasks: ReturnType<typeof accountTasks>) => sql`
    (select t.* from (${tasks}) t
    where t.workspace_id = ${workspaceId} and (${who.isAdmin} or t.owner = ${who.owner})
      ${status ? sql`and t.status = ${status}` : sql``}
      ${account_id ? sql`and t.account_id = ${account_id}` : sql``}
      ${object_id ? sql`and t.object_id = ${object_id}` : sql``}
      ${chat_id ? sql`and t.chat_id = ${chat_id}` : sql``}
      ${from ? sql`and (t.scheduled_time, t.id) < (${from[0]}::timestamptz, ${from[1]}::uuid)` : sql``}
    order by t.scheduled_time desc, t.id desc limit ${limit + 1})`;
  const wanted = {
    account: () => newest(accountTasks(sql)),
    bot: () => newest(botTasks(sql)),
    all: () => sql`${newest(accountTasks(sql))} union all ${newest(botTasks(sql))}`,
  };
  const rows = await sql<(Task & { cursor: string })[]>`
    select t.*, to_char(t.scheduled_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor
    from (${wanted[type]()}) t
    order by t.scheduled_time desc, t.id desc limit ${limit + 1}`;
  const page = pageOf(rows, limit, ({ cursor, id }) => [cursor, id]);
  return { ...page, items: page.items.map((row) => taskSchema.parse(row)) };
}

export function accountTasks(sql: Sql | Transaction) {
  return sql`
    select q.workspace_id, 'account' as type, q.id, q.status, q.owner, q.origin, q.object_id, o.title as object, q.chat_id,
      c.title as chat, q.account_id, a.title as account, q.scheduled_time,
      q.status in ('pending', 'flood_wait') and not a.is_active as held, q.started_at, q.completed_at, q.attempts, q.reason,
      q.last_error, q.message_id
    from accounts.queue q
    join accounts.accounts a on a.workspace_id = q.workspace_id and a.id = q.account_id
    left join accounts.objects o on o.workspace_id = q.workspace_id and o.id = q.object_id
    left join accounts.chats c on c.workspace_id = q.workspace_id and c.id = q.chat_id`;
}

/** Bot deliveries as tasks. */
function botTasks(sql: Sql | Transaction) {
  return sql`
    select b.workspace_id, 'bot' as type, d.delivery_id as id,
      case d.status when 'sent' then 'completed' when 'sending' then 'processing'
        when 'queued' then 'pending' when 'retry' then 'pending' when 'claimed' then 'pending' else 'failed' end as status,
      o.owner, null::text as origin, b.object_id, o.title as object, b.chat_id, c.title as chat, null::uuid as account_id,
      null::text as account, coalesce(d.scheduled_for, d.created_at) as scheduled_time, false as held, d.sending_started_at as started_at,
      d.sent_at as completed_at, d.attempt as attempts, d.last_error ->> 'code' as reason,
      d.last_error ->> 'message' as last_error, d.provider_message_id as message_id
    from accounts.bot_posts b
    join delivery.deliveries d on d.workspace_id = b.workspace_id and d.message_id = b.message_id and d.channel_id = b.channel_id
    left join accounts.objects o on o.workspace_id = b.workspace_id and o.id = b.object_id
    left join accounts.chats c on c.workspace_id = b.workspace_id and c.id = b.chat_id`;
}
