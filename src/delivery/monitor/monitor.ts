import type { Service } from "../../kernel/service/index.ts";
import { createWorker } from "../../kernel/worker/index.ts";
import { stopWaiting } from "../addressed/stop-waiting.ts";
import { recoverLeases } from "./recover-leases.ts";
import { type MonitorDeps, runMonitor } from "./run-monitor.ts";

export interface MonitorServiceDeps extends MonitorDeps {
  readonly leasesEveryMs?: number;
  readonly runEveryMs?: number;
}

/**
 * Every ten seconds releases the leases of dead processes and cancels deliveries that people have waited for too long; runs a
 * full round every minute.
 */
export function createMonitor(deps: MonitorServiceDeps): Service {
  const { sql, clock, log, leasesEveryMs = 10_000, runEveryMs = 60_000 } = deps;

  const leases = createWorker({
    name: "lease recovery",
    log,
    trouble: "leases could not be recovered",
    async round() {
      const { sending, claimed } = await recoverLeases(sql, deps, clock.now());
      if (sending + claimed > 0)
        log.warn({ sending, claimed }, "deliveries of a stopped process were recovered");
      await stopWaiting(sql, clock.now());
      return leasesEveryMs;
    },
  });
  const rounds = createWorker({
    name: "monitor",
    log,
    trouble: "the monitor could not make its round",
    safetyNetMs: runEveryMs,
    afterFailureMs: { first: Math.min(10_000, runEveryMs), most: runEveryMs },
    async round() {
      const { alerts, notification } = await runMonitor(deps);
      if (notification.attempted)
        log.warn({ reasons: alerts.reasons, delivered: notification.delivered }, "operators were alerted");
      return runEveryMs;
    },
  });

  return {
    name: "monitor",
    async start() {
      // Releases what a stopped process left before others start. If this fails, the loop reports it.
      await leases.round().catch(() => undefined);
      await leases.start();
      await rounds.start();
    },
    async stop() {
      await Promise.all([leases.stop(), rounds.stop()]);
    },
  };
}
