import { z } from "zod";
import type { AdminDeps } from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";
import { type Account, accountSchema, listAccounts } from "../admin/accounts.ts";
import { paceReasonSchema, slowedBy } from "../admin/pace-view.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { isReason, wordsOf } from "../reasons/task-reasons.ts";
import { en, ru } from "../texts/index.ts";
import { taskStatuses } from "./task-list.ts";

const moment = z.object({
  utc: z.date(),
  local: z.string().describe("In the account's own zone"),
  seconds: z.int().describe("How long until then; 0 when it has come"),
});

export const accountStatusSchema = accountSchema
  .pick({
    id: true,
    title: true,
    mode: true,
    interval_minutes: true,
    is_active: true,
    daily_limit: true,
    timezone: true,
    today: true,
    last_error: true,
    stopped_code: true,
    flood_until: true,
  })
  .extend({
    counts: z.object(Object.fromEntries(taskStatuses.map((status) => [status, z.int()]))),
    due_now: z.int(),
    in_work: z
      .object({ id: z.uuid(), started_at: z.date(), seconds: z.int() })
      .nullable()
      .describe("The oldest task in progress and its age"),
    next: moment.nullable().describe("The next task; null while the account is off"),
    waits: z
      .object({ code: z.string(), ru: z.string(), en: z.string(), until: z.date().nullable() })
      .nullable()
      .describe("Why the account is off. `until`: when it may be switched on"),
    pace: z.array(paceReasonSchema).describe("Why the account is slow, and until when"),
    free_until: z
      .date()
      .nullable()
      .describe("Nothing is due before then; null: a task is due, none is planned, or the account is off"),
  });
export type AccountStatus = z.output<typeof accountStatusSchema>;

interface StatusRow {
  readonly account_id: string;
  readonly counts: Record<string, number>;
  readonly due_now: number;
  readonly in_work_id: string | null;
  readonly in_work_since: Date | null;
  readonly next_at: Date | null;
}

export async function accountStatuses(
  deps: AdminDeps & Pick<PlanDeps, "governor">,
  workspaceId: string,
  who: Who,
): Promise<AccountStatus[]> {
  const now = deps.clock.now();
  const accounts = await listAccounts(deps, workspaceId, who);
  const rows = await deps.sql<StatusRow[]>`
    select a.id as account_id,
      (select coalesce(jsonb_object_agg(s.status, s.count), '{}')
       from (select status, count(*) from accounts.queue q
             where q.workspace_id = a.workspace_id and q.account_id = a.id group by status) s) as counts,
      (select count(*)::int from accounts.queue q
       where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'pending' and q.scheduled_time <= ${now}) as due_now,
      w.id as in_work_id, w.started_at as in_work_since,
      (select min(q.scheduled_time) from accounts.queue q
       where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'pending') as next_at
    from accounts.accounts a
    left join lateral (
      select q.id, q.started_at from accounts.queue q
      where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'processing'
      order by q.started_at limit 1
    ) w on true
    where a.workspace_id = ${workspaceId} and a.id = any (${accounts.map(({ id }) => id)})`;
  const found = new Map(rows.map((row) => [row.account_id, row]));
  const statuses: AccountStatus[] = [];
  for (const account of accounts) {
    const pace = await slowedBy(deps.governor, { workspaceId, accountId: account.id });
    statuses.push({ ...statusOf(account, found.get(account.id), now), pace });
  }
  return statuses;
}

function statusOf(account: Account, row: StatusRow | undefined, now: Date): Omit<AccountStatus, "pace"> {
  const { id, title, mode, interval_minutes, is_active, daily_limit, timezone, today } = account;
  const { last_error, stopped_code, flood_until } = account;
  const next = (is_active && row?.next_at) || null;
  return {
    ...{ id, title, mode, interval_minutes, is_active, daily_limit, timezone, today },
    ...{ last_error, stopped_code, flood_until },
    counts: Object.fromEntries(taskStatuses.map((status) => [status, row?.counts[status] ?? 0])),
    due_now: is_active ? (row?.due_now ?? 0) : 0,
    waits: is_active ? null : whyOff(account),
    in_work:
      row?.in_work_id && row.in_work_since
        ? {
            id: row.in_work_id,
            started_at: row.in_work_since,
            seconds: secondsBetween(row.in_work_since, now),
          }
        : null,
    next: next && { utc: next, local: localTime(next, timezone), seconds: secondsBetween(now, next) },
    free_until: next && next > now ? next : null,
  };
}

/** Why the account is off, and what to do. */
function whyOff({ stopped_code, flood_until }: Account): NonNullable<AccountStatus["waits"]> {
  const code = stopped_code ?? "switched_off";
  const because = (language: "ru" | "en") =>
    isReason(code) && code !== "flood_wait" ? wordsOf(code, {}, language) : "";
  return {
    code,
    ru: ru.waitsForAccount(because("ru")),
    en: en.waitsForAccount(because("en")),
    until: flood_until,
  };
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));
}

/** `2026-11-16 18:05:00`, local time. */
export function localTime(at: Date, timezone: string): string {
  return at.toLocaleString("sv-SE", { timeZone: timezone });
}
