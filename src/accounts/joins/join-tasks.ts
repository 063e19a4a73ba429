import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  idAfter,
  idOf,
  inOneChange,
  noteChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
} from "../../workspaces/index.ts";
import { foundOwn, requireAccount, type Who } from "../admin/access.ts";
import { accountsProblem, whyInactive } from "../admin/problems.ts";
import { accountIdColumns } from "../id-columns.ts";
import { readChatList } from "./chat-lists.ts";
import { joinModes, remainingSeconds } from "./join-pace.ts";

export const newJoin = z.strictObject({
  account_id: idOf(accountIdColumns.account),
  list_id: idOf(accountIdColumns.list),
  mode: z.enum(joinModes).default("safe").describe("safe: 10 minutes between joins; aggressive: 2"),
});
type NewJoin = z.output<typeof newJoin>;

const joinStatuses = ["running", "paused", "flood_wait", "completed", "failed"] as const;

export const joinSummary = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  account: z.string(),
  list_id: z.uuid().nullable(),
  list_name: z.string(),
  owner: z.string(),
  mode: z.enum(joinModes),
  status: z.enum(joinStatuses),
  chats: z.int(),
  joined: z.int(),
  member: z.int().describe("Already was a member"),
  broken: z.int().describe("The link is dead"),
  failed: z.int(),
  remaining: z.int(),
  waits_for: z
    .enum(["pace", "flood", "account_inactive", "person"])
    .nullable()
    .describe("What the next chat waits for"),
  next_run_at: z.date().nullable(),
  flood_until: z.date().nullable(),
  floods: z.int().describe("Flood waits in a row; three are waited out, the fourth stops the task"),
  remaining_seconds: z.int().describe("Estimated time for the remaining chats"),
  reason: z.string().nullable(),
  last_error: z.string().nullable(),
  created_at: z.date(),
  completed_at: z.date().nullable(),
});
export type JoinSummary = z.output<typeof joinSummary>;

export const joinTask = joinSummary.extend({
  steps: z.array(
    z.object({
      place: z.int(),
      link: z.string(),
      chat_id: z.uuid().nullable(),
      title: z.string().nullable(),
      state: z.enum(["waiting", "joined", "member", "broken", "failed"]),
      last_error: z.string().nullable(),
      done_at: z.date().nullable(),
    }),
  ),
});
export type JoinTask = z.output<typeof joinTask>;

export async function joinPage(
  sql: Sql,
  workspaceId: string,
  who: Who,
  { account_id, limit = pageLimit.usual, after }: PageQuery & { account_id?: string | undefined },
): Promise<Page<JoinSummary>> {
  const from = idAfter(after);
  const rows = await sql<JoinRow[]>`
    ${summaries(sql)}
    where t.workspace_id = ${workspaceId} and (${who.isAdmin} or t.owner = ${who.owner})
      ${account_id ? sql`and t.account_id = ${account_id}` : sql``}
      ${from ? sql`and t.id < ${from}` : sql``}
    order by t.id desc limit ${limit + 1}`;
  return pageOf(rows.map(summaryOf), limit, ({ id }) => [id]);
}

export async function readJoin(
  sql: Sql | Transaction,
  workspaceId: string,
  id: string,
  who: Who,
): Promise<JoinTask> {
  const [row] = await sql<
    JoinRow[]
  >`${summaries(sql)} where t.workspace_id = ${workspaceId} and t.id = ${id}`;
  const task = foundOwn(who, row, "join task", id);
  const steps = await sql<JoinTask["steps"]>`
    select s.place, s.link, s.chat_id, s.state, s.last_error, s.done_at,
      case when c.telegram_chat_id is not null then c.title end as title
    from accounts.join_steps s
    left join accounts.chats c on c.workspace_id = s.workspace_id and c.id = s.chat_id
    where s.workspace_id = ${workspaceId} and s.task_id = ${id} order by s.place`;
  return { ...summaryOf(task), steps: [...steps] };
}

export async function beginJoining(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { account_id, list_id, mode }: NewJoin,
  who: Who,
): Promise<JoinTask> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const account = await requireAccount(tx, workspaceId, account_id, who);
    if (!account.is_active) throw accountsProblem("account_inactive", { detail: whyInactive(account) });
    await readChatList(tx, workspaceId, list_id, who);
    await refuseSecond(tx, workspaceId, account_id);
    const [made] = await tx<[{ id: string | null }]>`
      select accounts.begin_joining(${workspaceId}, ${account_id}, ${list_id}, ${who.owner}, ${mode}, ${now}) as id`;
    if (!made.id) throw accountsProblem("join_nothing_left");
    const meta = { object: "join_task", id: made.id, created: true, account_id, list_id, mode };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return readJoin(tx, workspaceId, made.id, who);
  });
}

export const joinActions = ["pause", "continue", "cancel", "retry"] as const;
type JoinAction = (typeof joinActions)[number];

const from: Record<JoinAction, readonly JoinSummary["status"][]> = {
  pause: ["running"],
  continue: ["paused", "flood_wait"],
  cancel: ["running", "paused", "flood_wait"],
  retry: ["failed"],
};

export async function steerJoin(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  id: string,
  action: JoinAction,
  who: Who,
): Promise<JoinTask> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await tx`select from accounts.join_tasks where workspace_id = ${workspaceId} and id = ${id} for update`;
    const task = await readJoin(tx, workspaceId, id, who);
    if (!from[action].includes(task.status))
      throw problem("conflict", {
        detail: `A task in the state ${task.status} cannot be ${done[action]}; one in the state ${from[action].join(" or ")} can.`,
      });
    if (action === "continue" && task.flood_until && task.flood_until > now)
      throw stillFlooded(task.flood_until, now);
    if (action === "retry") await refuseSecond(tx, workspaceId, task.account_id);
    await tx`update accounts.join_tasks set ${tx(changes(action, task, now))}, updated_at = ${now}
      where workspace_id = ${workspaceId} and id = ${id}`;
    await noteChange(tx, { workspaceId, now, by: who, meta: { object: "join_task", id, [action]: true } });
    return readJoin(tx, workspaceId, id, who);
  });
}

const done: Record<JoinAction, string> = {
  pause: "paused",
  continue: "continued",
  cancel: "cancelled",
  retry: "tried again",
};

function changes(action: JoinAction, task: JoinTask, now: Date) {
  switch (action) {
    case "pause":
      return { status: "paused" };
    case "cancel":
      return { status: "failed", reason: "cancelled" };
    // Neither bypasses the pace: the next chat is not joined earlier than it would have been.
    case "continue":
    case "retry": {
      const due = [now, task.next_run_at, task.flood_until].filter((time) => time !== null);
      const next = new Date(Math.max(...due.map((time) => time.getTime())));
      return { status: "running", next_run_at: next, flood_until: null, floods: 0, reason: null };
    }
  }
}

function stillFlooded(until: Date, now: Date) {
  return accountsProblem("join_flood_wait", {
    detail: `Telegram lets this account join again at ${until.toISOString()}.`,
    headers: { "retry-after": String(Math.ceil((until.getTime() - now.getTime()) / 1000)) },
  });
}

async function refuseSecond(tx: Transaction, workspaceId: string, accountId: string): Promise<void> {
  const open = await tx<{ id: string }[]>`
    select id from accounts.join_tasks
    where workspace_id = ${workspaceId} and account_id = ${accountId} and status in ('running', 'paused', 'flood_wait')`;
  if (open[0])
    throw problem("conflict", {
      detail: `The account already has the join task ${open[0].id}; two at once would double the pace.`,
    });
}

interface JoinRow extends Omit<JoinSummary, "remaining_seconds" | "waits_for"> {
  readonly account_active: boolean;
}

function summaryOf({ account_active, ...row }: JoinRow): JoinSummary {
  return {
    ...row,
    waits_for: waitsFor(row, account_active),
    remaining_seconds: row.completed_at ? 0 : remainingSeconds(row.mode, row.remaining),
  };
}

function waitsFor({ status, floods }: Pick<JoinRow, "status" | "floods">, active: boolean) {
  if (status === "paused" || status === "failed") return "person";
  if (status === "flood_wait") return "flood";
  if (status === "completed") return null;
  if (!active) return "account_inactive";
  return floods > 0 ? "flood" : "pace";
}

function summaries(sql: Sql | Transaction) {
  return sql`
    select t.id, t.account_id, a.title as account, a.is_active as account_active, t.list_id, t.list_name, t.owner, t.mode,
      t.status, t.next_run_at, t.flood_until, t.floods, t.reason, t.last_error, t.created_at, t.completed_at, n.*
    from accounts.join_tasks t
    join accounts.accounts a on a.workspace_id = t.workspace_id and a.id = t.account_id
    cross join lateral (
      select count(*)::int as chats, (count(*) filter (where s.state = 'joined'))::int as joined,
        (count(*) filter (where s.state = 'member'))::int as member, (count(*) filter (where s.state = 'broken'))::int as broken,
        (count(*) filter (where s.state = 'failed'))::int as failed,
        (count(*) filter (where s.state = 'waiting'))::int as remaining
      from accounts.join_steps s where s.workspace_id = t.workspace_id and s.task_id = t.id
    ) n`;
}
