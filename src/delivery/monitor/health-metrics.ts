import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";

export interface HealthMetricsDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
  /** How long one look into the database serves the gauges of a scrape, and of the next one. */
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
  { name: "oldest_due_seconds", help: "Age of the oldest delivery that is due, paused channels included" },
  { name: "lag_seconds", help: "Age of the oldest due delivery that only the queue keeps back" },
  { name: "paused_channels", help: "Channels that rest until a time" },
  { name: "disabled_channels", help: "Channels that are switched off" },
  { name: "silent_channels", help: "Watched channels that fell silent" },
  { name: "orphan_events", help: "Events that refer to something that is not there" },
] as const satisfies readonly { name: keyof Gauges; help: string }[];

/** Figures of the whole system for Prometheus. They come from the database, so any process can show them. */
export function exposeHealth(deps: HealthMetricsDeps): void {
  const { metrics } = deps;
  const gauges = createReader(deps);

  metrics.gauge({
    name: "deliveries",
    help: "Deliveries by live status, and the dead that wait for an operator",
    labels: ["status"],
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
  for (const { name, help } of plainGauges) {
    metrics.gauge({
      name,
      help,
      collect: async (gauge) => gauge.set((await gauges())?.[name] ?? Number.NaN),
    });
  }
  metrics.gauge({
    name: "leases_recovered",
    help: "Deliveries taken back from stopped processes since counting began",
    labels: ["was"],
    async collect(gauge) {
      gauge.reset();
      const seen = await gauges();
      for (const was of ["sending", "claimed"]) {
        if (seen) gauge.set({ was }, seen.events[`${was}_lease_expired`] ?? 0);
      }
    },
  });
  metrics.gauge({
    name: "delivery_events",
    help: "Events of the audit trail by action since counting began, up to a minute ago",
    labels: ["action"],
    async collect(gauge) {
      gauge.reset();
      for (const [action, total] of Object.entries((await gauges())?.events ?? {})) {
        gauge.set({ action }, total);
      }
    },
  });
  metrics.gauge({
    name: "alert_letters",
    help: "Alerts by kind of target and result, each try counted",
    labels: ["kind", "result"],
    async collect(gauge) {
      gauge.reset();
      for (const { kind, sent, failed } of (await gauges())?.alerts ?? []) {
        gauge.set({ kind, result: "sent" }, sent);
        gauge.set({ kind, result: "failed" }, failed);
      }
    },
  });
}

/** One look for all gauges of a scrape. Without the database there are no figures, and the other metrics are still shown. */
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
