import type { IdColumn } from "../kernel/db/index.ts";

/** Where the ids are that people and programs may give by their beginning. */
export const idColumns = {
  delivery: { what: "delivery", table: "delivery.deliveries", column: "delivery_id" },
  message: { what: "message", table: "delivery.messages", column: "message_id" },
  channel: { what: "channel", table: "delivery.channels", column: "channel_id" },
  endpoint: { what: "endpoint", table: "delivery.workspace_endpoints", column: "endpoint_id" },
  alertTarget: { what: "alert target", table: "delivery.alert_targets", column: "target_id" },
} as const satisfies Readonly<Record<string, IdColumn>>;
