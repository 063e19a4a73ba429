import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import { deliveryMetrics } from "../metrics.ts";

export interface HealthMetricsDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
  /** How long the figures of one query are used, for the gauges of one scrape and the next. */
  readonly keptForMs?: number;
}

const count = z.int();
const gaugesShape = z.object({
  queued: count,
  claimed: count,
  sending: count,
  retry: count,
  dead_deliveries: count,
  oldest_due_seconds: z.number(),
  lag_seconds: z.number(),
  paused_channels: count,
  disabled_channels: count,
  silent_channels: count,
  orphan_events: count,
  events: z.record(z.string(), count),
  alerts: z.array(z.object({ kind: z.string(), sent: count, failed: count })),
});
type Gauges = z.infer<typeof gaugesShape>;

const plainGauges = [
  deliveryMetrics.oldestDue,
  deliveryMetrics.lag,
  deliveryMetrics.pausedChannels,
  deliveryMetrics.disabledChannels,
  deliveryMetrics.silentChannels,
  deliveryMetrics.orphanEvents,
] as const satisfies readonly { name: keyof Gauges }[];

/** Figures of the whole system for Prometheus. They come from the database, so any process can expose them. */
export function exposeHealth(deps: HealthMetricsDeps): void {
  const { metrics } = deps;
  const gauges = createReader(deps);

  metrics.gauge({
    ...deliveryMetrics.deliveries,
    async collect(gauge) {
      gauge.reset();
      const seen = await gauges();
      if (!seen) return;
      for (const status of ["queued", "claimed", "sending", "retry"] as const) {
        gauge.set({ status }, seen[status]);
      }
      gauge.set({ status: "dead" }, seen.dead_deliveries);
    },
  });
  for (const spec of plainGauges)
    metrics.gauge({
      ...spec,
      collect: async (gauge) => gauge.set((await gauges())?.[spec.name] ?? Number.NaN),
    });
  metrics.gauge({
    ...deliveryMetrics.leasesRecovered,
    async collect(gauge) {
      gauge.reset();
      const seen = await gauges();
      for (const was of ["sending", "claimed"]) {
        if (seen) gauge.set({ was }, seen.events[`${was}_lease_expired`] ?? 0);
      }
    },
  });
  metrics.gauge({
    ...deliveryMetrics.events,
    async collect(gauge) {
      gauge.reset();
      for (const [action, total] of Object.entries((await gauges())?.events ?? {})) {
        gauge.set({ action }, total);
      }
    },
  });
  metrics.gauge({
    ...deliveryMetrics.alertLetters,
    async collect(gauge) {
      gauge.reset();
      for (const { kind, sent, failed } of (await gauges())?.alerts ?? []) {
        gauge.set({ kind, result: "sent" }, sent);
        gauge.set({ kind, result: "failed" }, failed);
      }
    },
  });
}

/**
 * One query for all gauges of a scrape. Without the database these figures are missing, and the other metrics are still
 * exposed.
 */
function createReader({ sql, clock, log, keptForMs = 5_000 }: HealthMetricsDeps) {
  let kept: { figures: Promise<Gauges | undefined>; until: number } | undefined;

  async function read(): Promise<Gauges | undefined> {
    try {
      const [row] = await sql`select delivery.health_gauges(${clock.now()}) as gauges`;
      return gaugesShape.parse(row?.gauges);
    } catch (error) {
      log.warn({ err: error }, "the figures of the delivery engine could not be read");
      return undefined;
    }
  }

  return (): Promise<Gauges | undefined> => {
    if (!kept || kept.until <= performance.now()) {
      kept = { figures: read(), until: performance.now() + keptForMs };
    }
    return kept.figures;
  };
}
