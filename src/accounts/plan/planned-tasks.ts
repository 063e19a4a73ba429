import type { PlanSource } from "../../workspaces/index.ts";
import { accountTasks } from "../read/task-list.ts";

/** Tasks of accounts for the plan of the workspace; an object through a bot is a delivery, which is in it already. */
export const plannedTasks: PlanSource = async (sql, { workspaceId, from, to, now, channelId, limit }) => {
  if (channelId) return [];
  const rows = await sql<Row[]>`
    select t.id, greatest(t.scheduled_time, ${now}::timestamptz) as at, a.timezone as zone, t.account_id, t.account, t.chat, t.object,
      t.status, t.held
    from (${accountTasks(sql)}) t
    join accounts.accounts a on a.workspace_id = t.workspace_id and a.id = t.account_id
    where t.workspace_id = ${workspaceId} and t.status in ('pending', 'flood_wait')
      and greatest(t.scheduled_time, ${now}::timestamptz) between ${from} and ${to}
    order by t.scheduled_time, t.id
    limit ${limit}`;
  return rows.map(({ id, at, zone, account, chat, object, status, held }) => ({
    ...{ kind: "object", id, at, zone },
    channel: { id: null, title: chat, platform: "telegram-account" },
    title: object ?? "(deleted)",
    what: `object through ${account ?? "an account"}`,
    note: held ? "Its account is off" : status === "flood_wait" ? "Telegram asked its account to wait" : null,
  }));
};

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly zone: string;
  readonly account: string | null;
  readonly chat: string | null;
  readonly object: string | null;
  readonly status: "pending" | "flood_wait";
  readonly held: boolean;
}
