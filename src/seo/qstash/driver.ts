/**
 * Has QStash fire the slots of schedules. The ids of its schedules are kept in `qstash_schedule_ids`. Molva's own clock is the net below
 * it: what QStash has not brought by the end of its retries (an outage here or there, an hour that a zone skips) it fires itself.
 */
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Said } from "../said.ts";
import type { DrivenSchedule, ScheduleDriver } from "../schedules/driver.ts";
import type { QStash, Reply } from "./client.ts";
import { idPrefix, remoteSlots } from "./remote-slots.ts";
import { remoteFailure } from "./texts.ts";

export interface QStashDriverSettings {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly qstash: QStash;
  /** Where QStash reaches this installation. */
  readonly publicUrl: string;
  readonly tell?: TellOfRemoteFailure | undefined;
}

/** Tells the person, once for each change of the schedule. */
export type TellOfRemoteFailure = (schedule: DrivenSchedule, said: Said) => Promise<void>;

/** The retries of a message are over after 33 minutes. */
export const netAfterMs = 40 * 60_000;

export interface QStashDriver extends ScheduleDriver {
  forgetOrphans(): Promise<number>;
}

/** QStash did not do what a schedule needs: nothing of it fires there. */
export class RemoteScheduleError extends Error {
  override readonly name = "RemoteScheduleError";
  /** For the person whose schedule it is. */
  readonly said: Said;
  /** It will not help to try again before somebody changes something. */
  readonly isRefused: boolean;

  constructor({ kind, reason }: Exclude<Reply<unknown>, { kind: "ok" }>) {
    super(reason);
    this.said = remoteFailure[kind];
    this.isRefused = kind === "refused";
  }
}

export function createQStashDriver({
  sql,
  clock,
  qstash,
  publicUrl,
  tell,
}: QStashDriverSettings): QStashDriver {
  return {
    name: "qstash",

    /** Makes exactly these slots fire: all of them or, if one is refused, none. May be repeated. */
    async arrange(schedule) {
      const { workspaceId, scheduleId, changedAt } = schedule;
      await sql`select seo.arrange_schedule(${workspaceId}, ${scheduleId}, ${changedAt}, ${clock.now()})`;
      const slots = remoteSlots(schedule, publicUrl);
      const wanted = slots.map(({ id }) => id);
      // Written down before they are made: after a crash they are still known and can be removed.
      await keepIds(sql, schedule, [...new Set([...schedule.remoteIds, ...wanted])]);
      await removeAll(
        qstash,
        schedule.remoteIds.filter((id) => !wanted.includes(id)),
      );
      for (const [index, slot] of slots.entries()) {
        const reply = await qstash.put(slot);
        if (reply.kind === "ok") continue;
        // The last one, too: it may have arrived.
        await rollBack(sql, qstash, schedule, wanted, wanted.slice(0, index + 1));
        const error = new RemoteScheduleError(reply);
        await tell?.(schedule, error.said);
        throw error;
      }
      await keepIds(sql, schedule, wanted);
    },

    /** Removes them at QStash before their rows go (E11, E24); throws if one could not be removed. */
    async cancel(schedules) {
      for (const schedule of schedules) {
        const { workspaceId, scheduleId, remoteIds } = schedule;
        await sql`
          update seo.platform_schedules set arranged_by = null
          where workspace_id = ${workspaceId} and id = ${scheduleId}`;
        await removeAll(qstash, remoteIds);
        await sql`
          update seo.platform_schedules set qstash_schedule_ids = '{}', next_due_at = null
          where workspace_id = ${workspaceId} and id = ${scheduleId}`;
      }
    },

    async forgetOrphans() {
      const listed = await qstash.list();
      if (listed.kind !== "ok") throw new RemoteScheduleError(listed);
      const ours = listed.value.filter((id) => id.startsWith(idPrefix(publicUrl)));
      const known = await sql<{ id: string }[]>`
        select distinct unnest(s.qstash_schedule_ids) as id from seo.platform_schedules s`;
      const orphans = ours.filter((id) => !known.some((each) => each.id === id));
      await removeAll(qstash, orphans);
      return orphans.length;
    },
  };
}

/** Those that could not be removed stay known: the next `arrange` replaces them, `cancel` removes them. */
async function rollBack(
  sql: Sql,
  qstash: QStash,
  schedule: DrivenSchedule,
  wanted: readonly string[],
  made: readonly string[],
): Promise<void> {
  const left = wanted.filter((id) => schedule.remoteIds.includes(id) && !made.includes(id));
  const stuck: string[] = [];
  for (const id of [...made, ...left]) if ((await qstash.remove(id)).kind !== "ok") stuck.push(id);
  await keepIds(sql, schedule, stuck);
}

async function removeAll(qstash: QStash, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const reply = await qstash.remove(id);
    if (reply.kind !== "ok") throw new RemoteScheduleError(reply);
  }
}

async function keepIds(
  sql: Sql,
  { workspaceId, scheduleId }: DrivenSchedule,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update seo.platform_schedules set qstash_schedule_ids = ${[...ids]}
    where workspace_id = ${workspaceId} and id = ${scheduleId}`;
}
