import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Service } from "../../kernel/service/index.ts";

export interface LeaseMonitorDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly sendingLeaseSeconds: number;
  readonly claimedLeaseSeconds: number;
  readonly everyMs?: number;
}

/** Takes back what dead processes left claimed or sending. */
export function createLeaseMonitor(deps: LeaseMonitorDeps): Service {
  const { sql, clock, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function recover(): Promise<void> {
    try {
      const rows = await sql<{ delivery_id: string; was: string; status: string }[]>`
        select delivery_id, was, status from delivery.recover_leases(
          make_interval(secs => ${deps.sendingLeaseSeconds}), make_interval(secs => ${deps.claimedLeaseSeconds}),
          ${clock.now()})`;
      if (rows.length > 0) {
        log.warn({ deliveries: rows.length }, "deliveries of a stopped process were recovered");
        await sql`select pg_notify('molva_deliveries', '')`;
      }
    } catch (error) {
      log.error({ err: error }, "leases could not be recovered");
    }
  }

  return {
    name: "monitor",
    async start() {
      await recover();
      timer = setInterval(() => {
        running ??= recover().finally(() => {
          running = undefined;
        });
      }, deps.everyMs ?? 10_000);
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
