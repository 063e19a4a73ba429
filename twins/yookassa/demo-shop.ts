import { notifications } from "./limits.ts";
import { noticeEvents, type Shop } from "./model.ts";

/** The demo's shop, with a public key. */
export function demoShop(): Shop {
  return {
    id: "100500",
    name: "Molva",
    secret: "test_molva-demo-00000000000000000000",
    test: true,
    recurring: true,
    fiscal: true,
    notificationUrl: null,
    events: [...noticeEvents],
    source: notifications.source,
    refunds: "succeeded",
  };
}
