import { setTimeout as delay } from "node:timers/promises";
import type { RetentionContext } from "./context.ts";

/** Drops the days of the audit trail that are too old for every workspace. A day that is in use is left for the next run. */
export async function dropEventPartitions(context: RetentionContext): Promise<number> {
  const { sql, log, now } = context;
  let dropped = 0;
  for (const { partition } of await sql<{ partition: string }[]>`
    select delivery.retention_event_partitions(${now}) as partition`) {
    if (await drop(partition, context)) dropped += 1;
    else log.warn({ partition }, "a day of the audit trail is in use and stays until the next run");
  }
  return dropped;
}

/** Waits for the lock only briefly each time, because every writer of events waits behind it. */
async function drop(partition: string, { sql, settings, now }: RetentionContext): Promise<boolean> {
  for (let attempt = 1; attempt <= settings.lockTries; attempt++) {
    if (attempt > 1) await delay(settings.betweenLockTriesMs);
    try {
      return await sql.begin(async (tx) => {
        await tx`select set_config('lock_timeout', ${`${settings.lockTimeoutMs}ms`}, true)`;
        const [row] = await tx<[{ dropped: boolean }]>`
          select delivery.retention_drop_partition(${partition}, ${now}) as dropped`;
        return row.dropped;
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
  }
  return false;
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}
