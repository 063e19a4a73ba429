import type { Service } from "../../kernel/service/index.ts";
import { recoverLeases } from "./recover-leases.ts";
import { type MonitorDeps, runMonitor } from "./run-monitor.ts";

export interface MonitorServiceDeps extends MonitorDeps {
  readonly leasesEveryMs?: number;
  readonly runEveryMs?: number;
}

/** Takes back the leases of dead processes every ten seconds, and makes a full round every minute. */
export function createMonitor(deps: MonitorServiceDeps): Service {
  const { sql, clock, log } = deps;

  const leases = repeated(deps.leasesEveryMs ?? 10_000, async () => {
    try {
      const { sending, claimed } = await recoverLeases(sql, deps, clock.now());
      if (sending + claimed > 0)
        log.warn({ sending, claimed }, "deliveries of a stopped process were recovered");
    } catch (error) {
      log.error({ err: error }, "leases could not be recovered");
    }
  });
  const rounds = repeated(deps.runEveryMs ?? 60_000, async () => {
    try {
      const { alerts, notification } = await runMonitor(deps);
      if (notification.attempted)
        log.warn({ reasons: alerts.reasons, delivered: notification.delivered }, "operators were alerted");
    } catch (error) {
      log.error({ err: error }, "the monitor could not make its round");
    }
  });

  return {
    name: "monitor",
    async start() {
      await leases.now();
      leases.start();
      // Not awaited: a slow target must not hold up the start.
      void rounds.now();
      rounds.start();
    },
    async stop() {
      await Promise.all([leases.stop(), rounds.stop()]);
    },
  };
}

/** Runs `work` again and again, never twice at once. `work` does not throw. */
function repeated(everyMs: number, work: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function now(): Promise<void> {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    now,
    start() {
      timer = setInterval(() => void now(), everyMs);
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
