/** Molva's own driver: the nearest slot of each schedule is a column, and a worker sleeps until the nearest of all. */
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { createWorker, msUntil, type Timer, type Worker } from "../../kernel/worker/index.ts";
import type { ScheduleDriver } from "./driver.ts";

export interface OwnDriverSettings {
  readonly sql: Sql;
  readonly clock: Clock;
}

export function createOwnDriver({ sql, clock }: OwnDriverSettings): ScheduleDriver {
  return {
    name: "own",
    async arrange({ workspaceId, scheduleId, changedAt }) {
      await sql`select seo.arrange_schedule(${workspaceId}, ${scheduleId}, ${changedAt}, ${clock.now()})`;
    },
    async cancel(schedules) {
      for (const { workspaceId, scheduleId } of schedules)
        await sql`
          update seo.platform_schedules set next_due_at = null, arranged_by = null
          where workspace_id = ${workspaceId} and id = ${scheduleId}`;
    },
  };
}

export interface OwnClockSettings {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly timer?: Timer | undefined;
  /** How late it looks: beside another driver it only fires what that one has not. */
  readonly lateMs?: number | undefined;
}

const schedulesAtOnce = 200;

/** Fires slots when they are due. Any number of processes may run it. */
export function createOwnClock({ sql, clock, log, timer, lateMs = 0 }: OwnClockSettings): Worker {
  const late: Clock = { now: () => new Date(clock.now().getTime() - lateMs) };
  return createWorker({
    ...{ name: "schedules", log, timer, notices: { sql, channel: "seo_schedules" } },
    trouble: "schedules could not be looked at",
    safetyNetMs: 60_000,
    async round() {
      const [{ fired }] = await sql<[{ fired: number }]>`
        select seo.fire_due(${schedulesAtOnce}, ${late.now()}) as fired`;
      if (fired > 0) return 0;
      const [{ due }] = await sql<[{ due: Date | null }]>`
        select min(s.next_due_at) as due from seo.platform_schedules s where s.next_due_at is not null`;
      // If it is due already, another process is at it.
      return msUntil(due, late, 1_000);
    },
  });
}
