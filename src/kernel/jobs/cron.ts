import { type CronItem, type ParsedCronItem, parseCronItems } from "graphile-worker";
import { z } from "zod";
import { defineTask, type Task } from "./task.ts";

/** A task that runs on a schedule. Several processes may have the same entry: each minute is taken once. */
export interface CronEntry {
  /** Remembered in the database; must stay the same when the schedule changes. */
  readonly identifier: string;
  readonly task: Task<unknown>;
  /** Five fields as in crontab, in UTC. */
  readonly schedule: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** How far back missed minutes are run after an outage; none unless given. */
  readonly backfillMs?: number;
}

/** A cron entry with a task of its own name. A run that fails is retried twice. */
export function every(schedule: string, name: string, run: () => Promise<unknown>): CronEntry {
  const task = defineTask({
    name,
    schema: z.unknown(),
    maxAttempts: 3,
    run: async () => {
      await run();
    },
  });
  return { identifier: name, schedule, task };
}

export function parseCron(entries: readonly CronEntry[]): ParsedCronItem[] {
  return parseCronItems(entries.map(itemOf));
}

function itemOf({ identifier, task, schedule, payload, backfillMs = 0 }: CronEntry): CronItem {
  return {
    identifier,
    task: task.name,
    match: schedule,
    options: {
      backfillPeriod: backfillMs,
      ...(task.maxAttempts !== undefined && { maxAttempts: task.maxAttempts }),
    },
    ...(payload && { payload: { ...payload } }),
  };
}

/** Entries that were due between two times, whose minutes nobody took because the clock was moved over them. */
export function entriesBetween(entries: readonly CronEntry[], from: Date, to: Date): readonly CronEntry[] {
  const parsed = parseCron(entries);
  return entries.filter((_, index) => {
    const item = parsed[index];
    // A year of minutes at most: beyond it every entry has been due.
    const last = Math.min(to.getTime(), from.getTime() + 366 * 86_400_000);
    for (let at = nextMinute(from.getTime()); item && at <= last; at += 60_000)
      if (cronItemMatches(item, new Date(at))) return true;
    return false;
  });
}

const nextMinute = (ms: number) => Math.floor(ms / 60_000) * 60_000 + 60_000;

function cronItemMatches({ match }: ParsedCronItem, at: Date): boolean {
  return match({
    min: at.getUTCMinutes(),
    hour: at.getUTCHours(),
    date: at.getUTCDate(),
    month: at.getUTCMonth() + 1,
    dow: at.getUTCDay(),
  });
}

const scheduled = z.object({ _cron: z.object({ ts: z.iso.datetime({ offset: true }) }) });

/** graphile-worker puts the minute into the payload; it is taken out before a task's schema sees it. */
export function splitCronPayload(payload: unknown): { payload: unknown; scheduledFor?: Date } {
  const parsed = scheduled.safeParse(payload);
  if (!parsed.success || typeof payload !== "object") return { payload };
  const { _cron, ...rest } = { _cron: undefined, ...payload };
  return { payload: rest, scheduledFor: new Date(parsed.data._cron.ts) };
}
