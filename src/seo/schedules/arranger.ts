/** Has the driver follow what people change, in the background: a provider that is away delays nobody. */
import type { Sql } from "../../kernel/db/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { createWorker, idle, type Timer, type Worker } from "../../kernel/worker/index.ts";
import { type DrivenSchedule, drivenSchedules, type ScheduleDriver } from "./driver.ts";

export interface ArrangerSettings {
  readonly sql: Sql;
  readonly log: Log;
  readonly driver: ScheduleDriver;
  readonly timer?: Timer | undefined;
}

const atOnce = 100;
/** A provider that is away is asked again after five seconds, then after up to five minutes. */
const afterFailureMs = { first: 5_000, most: 300_000 } as const;

export function createArranger({ sql, log, driver, timer }: ArrangerSettings): Worker {
  let isLookedFor = false;
  return createWorker({
    ...{ name: "schedule changes", log, timer, notices: { sql, channel: "seo_schedules" }, afterFailureMs },
    trouble: "changed schedules could not be arranged",
    async round() {
      if (!isLookedFor) await takeOver(sql, driver);
      isLookedFor = true;
      const changed = await drivenSchedules(
        sql,
        sql`(s.workspace_id, s.id) in (
          select d.workspace_id, d.id from seo.platform_schedules d where d.arranged_at is distinct from d.changed_at limit ${atOnce})`,
      );
      const failures: unknown[] = [];
      for (const schedule of changed) {
        try {
          await arrange(sql, driver, schedule);
        } catch (error) {
          log.warn({ schedule: schedule.scheduleId, reason: messageOf(error) }, "a schedule is not arranged");
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
      return changed.length === atOnce ? 0 : idle;
    },
  });
}

/** What another driver has arranged is arranged anew. */
async function takeOver(sql: Sql, { name }: ScheduleDriver): Promise<void> {
  await sql`
    update seo.platform_schedules set arranged_at = null
    where arranged_at is not null and arranged_by is distinct from ${name}`;
}

/** A change that comes meanwhile is arranged in the next round. */
async function arrange(sql: Sql, driver: ScheduleDriver, schedule: DrivenSchedule): Promise<void> {
  await driver.arrange(schedule);
  const { workspaceId, scheduleId, changedAt } = schedule;
  await sql`
    update seo.platform_schedules set arranged_at = changed_at, arranged_by = ${driver.name}
    where workspace_id = ${workspaceId} and id = ${scheduleId}
      and date_trunc('milliseconds', changed_at) = ${changedAt}`;
}
