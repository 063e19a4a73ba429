import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import type { AdminDeps } from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";
import { listAccounts } from "../admin/accounts.ts";
import { type HintCode, hintCodes, inBoth } from "../texts/index.ts";
import { accountTasks, type Task, taskSchema, taskStatuses } from "./task-list.ts";

const countsSchema = z.object(Object.fromEntries(taskStatuses.map((status) => [status, z.int()])));

export const overviewSchema = z.object({
  at: z.date(),
  accounts: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      is_active: z.boolean(),
      published_today: z.int(),
      planned_today: z.int(),
      daily_limit: z.int(),
      last_error: z.string().nullable(),
    }),
  ),
  counts: countsSchema.describe("Tasks of accounts by status"),
  due_count: z.int().describe("Pending tasks whose time has come"),
  due: z.array(taskSchema).describe("The first 20 of them"),
  stuck: z.array(taskSchema).describe("In progress for longer than the threshold"),
  configs_enabled: z.int().describe("Objects whose autopublishing through accounts is on"),
  published_today: z.array(z.object({ account_id: z.uuid(), account: z.string(), count: z.int() })),
  hints: z.array(z.object({ code: z.enum(hintCodes), ru: z.string(), en: z.string() })),
});
export type Overview = z.output<typeof overviewSchema>;

const mostDue = 20;

/** Everything needed to see why nothing is being published. */
export async function overview(
  deps: AdminDeps,
  workspaceId: string,
  who: Who,
  { thresholdMinutes = 5 }: { thresholdMinutes?: number | undefined } = {},
): Promise<Overview> {
  const { sql } = deps;
  const at = deps.clock.now();
  const [accounts, counts, due, stuck, configs] = await Promise.all([
    listAccounts(deps, workspaceId, who),
    countTasks(sql, workspaceId, who),
    dueTasks(sql, workspaceId, who, at),
    stuckTasks(deps, workspaceId, who, thresholdMinutes),
    countConfigs(sql, workspaceId, who),
  ]);
  const active = new Set(accounts.filter(({ is_active }) => is_active).map(({ id }) => id));
  const waitsForActive = await sql<{ account_id: string }[]>`
    select distinct account_id from accounts.queue where workspace_id = ${workspaceId} and status = 'pending'`;
  const hints = hintsFor({
    pending: counts.pending ?? 0,
    due: due.count,
    stuck: stuck.length,
    anyActive: waitsForActive.some(({ account_id }) => active.has(account_id)),
  });
  return {
    at,
    accounts: accounts.map(({ id, title, is_active, today, daily_limit, last_error }) => ({
      id,
      title,
      is_active,
      published_today: today.published,
      planned_today: today.planned,
      daily_limit,
      last_error,
    })),
    counts,
    due_count: due.count,
    due: due.first,
    stuck,
    configs_enabled: configs,
    published_today: accounts
      .filter(({ today }) => today.published > 0)
      .map(({ id, title, today }) => ({ account_id: id, account: title, count: today.published })),
    hints: hints.map((code) => ({ code, ...inBoth(({ hints: said }) => said[code]) })),
  };
}

/** Tasks in progress for longer than any send takes, oldest first. */
export async function stuckTasks(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  who: Who,
  thresholdMinutes: number,
): Promise<Task[]> {
  const before = new Date(clock.now().getTime() - thresholdMinutes * 60_000);
  const rows = await sql`
    select t.* from (${accountTasks(sql)}) t
    where t.workspace_id = ${workspaceId} and (${who.isAdmin} or t.owner = ${who.owner})
      and t.status = 'processing' and t.started_at < ${before}
    order by t.started_at limit 500`;
  return rows.map((row) => taskSchema.parse(row));
}

interface Figures {
  readonly pending: number;
  readonly due: number;
  readonly stuck: number;
  /** Whether an active account has pending tasks. */
  readonly anyActive: boolean;
}

export function hintsFor({ pending, due, stuck, anyActive }: Figures): HintCode[] {
  const hints: HintCode[] = [];
  if (stuck > 0) hints.push("stuck_tasks");
  if (pending > 0 && !anyActive) hints.push("no_active_account");
  else if (pending > 0 && due === 0) hints.push("nothing_due");
  if (pending === 0 && stuck === 0) hints.push("nothing_planned");
  return hints.length > 0 ? hints : ["all_well"];
}

async function countTasks(sql: Sql, workspaceId: string, who: Who): Promise<Record<string, number>> {
  const rows = await sql<{ status: string; count: number }[]>`
    select status, count(*)::int from accounts.queue
    where workspace_id = ${workspaceId} and (${who.isAdmin} or owner = ${who.owner}) group by status`;
  const counted = new Map(rows.map(({ status, count }) => [status, count]));
  return Object.fromEntries(taskStatuses.map((status) => [status, counted.get(status) ?? 0]));
}

async function dueTasks(sql: Sql, workspaceId: string, who: Who, now: Date) {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int from accounts.queue
    where workspace_id = ${workspaceId} and status = 'pending' and scheduled_time <= ${now}
      and (${who.isAdmin} or owner = ${who.owner})`;
  const rows = await sql`
    select t.* from (${accountTasks(sql)}) t
    where t.workspace_id = ${workspaceId} and (${who.isAdmin} or t.owner = ${who.owner})
      and t.status = 'pending' and t.scheduled_time <= ${now}
    order by t.scheduled_time, t.id limit ${mostDue}`;
  return { count: row.count, first: rows.map((each) => taskSchema.parse(each)) };
}

async function countConfigs(sql: Sql, workspaceId: string, who: Who): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int from accounts.autopublish p
    join accounts.objects o on o.workspace_id = p.workspace_id and o.id = p.object_id and o.archived_at is null
    where p.workspace_id = ${workspaceId} and p.enabled and p.accounts_enabled and (${who.isAdmin} or o.owner = ${who.owner})`;
  return row.count;
}
