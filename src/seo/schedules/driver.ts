/**
 * What makes schedules fire. There are two drivers: Molva's own, in PostgreSQL, and QStash. Both are told of every change of a schedule
 * by `arrange`, and report a due slot by `fireSlot`, which stores it once; all that comes after is common.
 */
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Days, Times } from "./times.ts";

export interface ScheduleKey {
  readonly workspaceId: string;
  readonly scheduleId: number;
}

/** A schedule with all that a driver needs. */
export interface DrivenSchedule extends ScheduleKey {
  readonly userId: number;
  readonly projectId: number;
  readonly categoryId: number;
  readonly connectionId: number;
  readonly platformType: string;
  /** Off or without days or times: nothing may fire. */
  readonly enabled: boolean;
  readonly days: Days;
  readonly times: Times;
  /** IANA. */
  readonly zone: string;
  /** Slots after this instant count. */
  readonly changedAt: Date;
  /** What QStash calls its parts. */
  readonly remoteIds: readonly string[];
}

export interface ScheduleDriver {
  readonly name: "own" | "qstash";
  /**
   * Makes exactly the slots of the schedule fire, and no others. Called after days, times, the switch or the project's zone changed,
   * and again until it does not throw; the same change may be arranged several times.
   */
  arrange(schedule: DrivenSchedule): Promise<void>;
  /**
   * Has nothing of these schedules fire any more. Called before their rows are deleted, perhaps several times. If it throws, nothing
   * is deleted (E11, E24). Clears `arranged_by` first: if the process dies before the rows go, the next one arranges them anew.
   */
  cancel(schedules: readonly DrivenSchedule[]): Promise<void>;
  /** Removes what no schedule knows any more, such as those of a restored database. Returns how many. */
  forgetOrphans?(): Promise<number>;
}

/** Undoes what `cancel` did: nothing was deleted after all. */
export async function arrangeAnew(sql: Sql, schedules: readonly ScheduleKey[]): Promise<void> {
  for (const { workspaceId, scheduleId } of schedules)
    await sql`
      update seo.platform_schedules set arranged_at = null where workspace_id = ${workspaceId} and id = ${scheduleId}`;
  await sql`select pg_notify('seo_schedules', '')`;
}

/** A slot of a schedule on a date of the project's zone. */
export interface Slot extends ScheduleKey {
  /** `2026-11-18` */
  readonly localDate: string;
  /** `10:00` */
  readonly slot: string;
}

/** `repeated`: it was stored before. `not_scheduled`: the schedule is gone or off, or has no such slot on that day. */
export type Fired = "fired" | "repeated" | "not_scheduled";

/** Stores that a slot is due. It is published soon, once, whoever reports it and however often. */
export async function fireSlot(
  sql: Sql | Transaction,
  { workspaceId, scheduleId, localDate, slot }: Slot,
  now: Date,
): Promise<Fired> {
  const [{ fired }] = await sql<[{ fired: Fired }]>`
    select seo.fire_slot(${workspaceId}, ${scheduleId}, ${localDate}::text::date, ${slot}, ${now}) as fired`;
  return fired;
}

/** Schedules as drivers see them; the condition is about `s`, `c` (its category) and `p` (its project). */
export function drivenSchedules(
  sql: Sql | Transaction,
  condition: ReturnType<Sql>,
): Promise<readonly DrivenSchedule[]> {
  return sql<DrivenSchedule[]>`
    select s.workspace_id as "workspaceId", s.id as "scheduleId", p.user_id as "userId", p.id as "projectId",
      s.category_id as "categoryId", s.connection_id as "connectionId", s.platform_type as "platformType", s.enabled,
      s.schedule_days as days, s.schedule_times as times, p.timezone as zone, s.changed_at as "changedAt",
      s.qstash_schedule_ids as "remoteIds"
    from seo.platform_schedules s
    join seo.categories c on c.workspace_id = s.workspace_id and c.id = s.category_id
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where ${condition}
    order by s.workspace_id, s.id`;
}
