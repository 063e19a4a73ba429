import type { MetricSpec } from "../kernel/metrics/index.ts";

export const shopBotMetrics = {
  updates: {
    name: "bot_updates_total",
    help: "Updates of the shop bot by what became of them",
    labels: ["outcome"],
  },
} as const satisfies Record<string, MetricSpec>;
