import type { MetricSpec } from "../kernel/metrics/index.ts";

/** Prometheus metrics of deliveries. */
export const deliveryMetrics = {
  ingestRequests: {
    name: "ingest_requests_total",
    help: "Requests to the ingest endpoint",
    labels: ["outcome"],
  },
  sendSeconds: {
    name: "send_seconds",
    help: "Time of one attempt to send a delivery",
    labels: ["platform", "outcome"],
  },
  settled: {
    name: "deliveries_settled_total",
    help: "Attempts that ended, by the status they ended in",
    labels: ["status"],
  },
  corrected: {
    name: "corrections_settled_total",
    help: "Attempts to change or take back a post that ended, by the status they ended in",
    labels: ["status"],
  },
  webhookAttempts: {
    name: "webhook_attempts_total",
    help: "Attempts to send messages of webhooks",
    labels: ["outcome"],
  },
  deliveries: {
    name: "deliveries",
    help: "Deliveries by live status, and the dead that wait for an operator",
    labels: ["status"],
  },
  oldestDue: {
    name: "oldest_due_seconds",
    help: "Age of the oldest delivery that is due, paused channels included",
  },
  lag: { name: "lag_seconds", help: "Age of the oldest due delivery that only the queue keeps back" },
  pausedChannels: { name: "paused_channels", help: "Channels that rest until a time" },
  disabledChannels: { name: "disabled_channels", help: "Channels that are switched off" },
  silentChannels: { name: "silent_channels", help: "Watched channels that fell silent" },
  orphanEvents: { name: "orphan_events", help: "Events that refer to something that is not there" },
  leasesRecovered: {
    name: "leases_recovered",
    help: "Deliveries taken back from stopped processes since counting began",
    labels: ["was"],
  },
  events: {
    name: "delivery_events",
    help: "Events of the audit trail by action since counting began, up to a minute ago",
    labels: ["action"],
  },
  alertLetters: {
    name: "alert_letters",
    help: "Alerts by kind of target and result, each try counted",
    labels: ["kind", "result"],
  },
} as const satisfies Record<string, MetricSpec>;
