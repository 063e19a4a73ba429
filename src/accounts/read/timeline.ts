import { z } from "zod";
import type { AdminDeps } from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";
import { readAccount } from "../admin/accounts.ts";
import { dayAfter, dayAt, instantAt } from "../plan/time-zone.ts";
import { localTime } from "./account-status.ts";
import { accountTasks, taskSchema, taskStatuses } from "./task-list.ts";

export const timelineSchema = z.object({
  account_id: z.uuid(),
  day: z.iso.date(),
  timezone: z.string(),
  window: z.object({ from: z.date(), to: z.date() }),
  now: z.date(),
  entries: z.array(
    taskSchema
      .pick({
        id: true,
        object_id: true,
        object: true,
        chat_id: true,
        chat: true,
        attempts: true,
        reason: true,
        last_error: true,
        held: true,
      })
      .extend({
        at: z.date().describe("When it was published or ended, or is planned"),
        local: z.string(),
        status: z.enum(taskStatuses),
        late: z.boolean().describe("Its time has passed and it is still pending"),
      }),
  ),
});
export type Timeline = z.output<typeof timelineSchema>;

/** One day of an account in its time zone. */
export async function timeline(
  deps: AdminDeps,
  workspaceId: string,
  accountId: string,
  who: Who,
  { day }: { day?: string | undefined } = {},
): Promise<Timeline> {
  const { sql, clock } = deps;
  const now = clock.now();
  const { timezone, window_from, window_to } = await readAccount(deps, workspaceId, accountId, who);
  const shown = day ?? dayAt(now, timezone);
  const from = instantAt(shown, "00:00", timezone);
  const to = instantAt(dayAfter(shown), "00:00", timezone);
  const rows = await sql`
    select t.*, coalesce(t.completed_at, t.scheduled_time) as at
    from (${accountTasks(sql)}) t
    where t.workspace_id = ${workspaceId} and t.account_id = ${accountId}
      and coalesce(t.completed_at, t.scheduled_time) >= ${from} and coalesce(t.completed_at, t.scheduled_time) < ${to}
    order by at, t.id limit 2000`;
  const entries = rows.map((row) => {
    const at = z.date().parse(row.at);
    const { id, object_id, object, chat_id, chat, attempts, reason, last_error, status, held } =
      taskSchema.parse(row);
    const late = status === "pending" && at < now;
    return {
      ...{ id, object_id, object, chat_id, chat, attempts, reason, last_error, status, held },
      ...{ at, local: localTime(at, timezone), late },
    };
  });
  const window = {
    from: instantAt(shown, window_from, timezone),
    to: instantAt(shown, window_to, timezone),
  };
  return { account_id: accountId, day: shown, timezone, window, now, entries };
}
