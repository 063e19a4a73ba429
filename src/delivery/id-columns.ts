import type { IdColumn } from "../kernel/db/index.ts";

/** The id columns in which people and programs may search by the beginning of an id. */
export const idColumns = {
  delivery: { what: "delivery", table: "delivery.deliveries", column: "delivery_id" },
  correction: { what: "correction", table: "delivery.corrections", column: "correction_id" },
  message: { what: "message", table: "delivery.messages", column: "message_id" },
  draft: { what: "draft", table: "delivery.drafts", column: "draft_id" },
  channel: { what: "channel", table: "delivery.channels", column: "channel_id" },
  endpoint: { what: "endpoint", table: "delivery.workspace_endpoints", column: "endpoint_id" },
  webhook: { what: "webhook", table: "delivery.webhooks", column: "webhook_id" },
  alertTarget: { what: "alert target", table: "delivery.alert_targets", column: "target_id" },
} as const satisfies Readonly<Record<string, IdColumn>>;
