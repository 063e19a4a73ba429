import type { PlaceView } from "../shared/index.ts";
import type { Shop } from "./model.ts";
import type { YooKassa } from "./twin.ts";

/** A shop in the list of places: its page with the payments. Shops without payments are not listed. */
export function placeOf({ store }: YooKassa, shop: Shop): PlaceView {
  const payments = store.paymentsOf(shop.id);
  const last = payments.reduce(
    (latest, { createdAt, paidAt, capturedAt }) => Math.max(latest, createdAt, paidAt ?? 0, capturedAt ?? 0),
    0,
  );
  return {
    provider: "yookassa",
    id: shop.id,
    title: shop.name,
    url: `/yookassa/shops/${shop.id}/`,
    items: payments.length,
    ...(last > 0 && { changedAt: last }),
  };
}

export function tellOfShop(yookassa: YooKassa, shopId: string): void {
  const shop = yookassa.store.shop(shopId);
  const place = shop && placeOf(yookassa, shop);
  if (place && place.items > 0) yookassa.context.bus.publish({ type: "place", provider: "yookassa", place });
}
