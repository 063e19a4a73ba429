import { setTimeout as delay } from "node:timers/promises";
import type { Harness } from "./harness.ts";
import { type StormSettings, waits } from "./settings.ts";

const lookEveryMs = 500;
const sayEveryMs = 30_000;

/** An operator who resumes every channel that a revoked token has stopped, and users who renew their connections. */
export async function resumeChannels({ sql, workspaceId }: Harness): Promise<void> {
  await sql`
    select delivery.enable_channel(${workspaceId}, c.channel_id, 'chaos', 'the token works again')
    from delivery.channels c
    where c.workspace_id = ${workspaceId} and (not c.enabled or c.paused_until > now())`;
  await sql`
    select delivery.connection_works(${workspaceId}, c.channel_id, 'test')
    from delivery.channels c where c.workspace_id = ${workspaceId} and c.connection_state = 'error'`;
}

/** The same again and again, for as long as the storm lasts and the database answers. */
export function watchChannels(harness: Harness): { stop(): Promise<void> } {
  let stopping = false;
  const watching = (async () => {
    while (!stopping) {
      // The database may be unavailable: the next round finds them.
      await resumeChannels(harness).catch(() => undefined);
      await delay(lookEveryMs);
    }
  })();
  return {
    async stop() {
      stopping = true;
      await watching;
    },
  };
}

/** Waits until no delivery and no correction is in progress; false on timeout. */
export async function drained(
  harness: Harness,
  { seconds }: StormSettings,
  say: (text: string) => void,
): Promise<boolean> {
  const deadline = performance.now() + Math.max(waits.shortestDrainMs, seconds * 1_000);
  let sayAt = 0;
  while (performance.now() < deadline) {
    await resumeChannels(harness);
    await recover(harness);
    await hurry(harness);
    const left = await underWay(harness);
    if (left === 0) return true;
    if (performance.now() > sayAt) {
      sayAt = performance.now() + sayEveryMs;
      say(`  ${left} deliveries are on their way`);
    }
    await delay(lookEveryMs);
  }
  return false;
}

/** The monitor's work, without waiting for its next run. */
async function recover({ sql }: Harness): Promise<void> {
  const { sendingLeaseSeconds: sending, claimedLeaseSeconds: claimed } = waits;
  await sql`select delivery.stop_waiting()`;
  await sql`select delivery.recover_leases(make_interval(secs => ${sending}), make_interval(secs => ${claimed}))`;
}

/** Skips the backoff after the storm, except for waits that a messenger demanded. */
async function hurry({ sql, workspaceId }: Harness): Promise<void> {
  await sql`
    select delivery.send_now(${workspaceId}, array(
      select d.delivery_id from delivery.deliveries d
      where d.workspace_id = ${workspaceId} and d.status = 'retry' and d.next_retry_at > now() + interval '1 second'
        and d.updated_at < now() - make_interval(secs => ${waits.sendTimeoutSeconds})
      ), 'chaos', 'the storm is over')`;
}

async function underWay({ sql, workspaceId }: Harness): Promise<number> {
  const [row] = await sql<[{ left: number }]>`
    select (select count(*) from delivery.deliveries
      where workspace_id = ${workspaceId} and status in ('queued', 'claimed', 'sending', 'retry'))::int
    + (select count(*) from delivery.corrections
      where workspace_id = ${workspaceId} and ended_at is null)::int as left`;
  return row.left;
}
