import { createRates, type Twin, type TwinContext } from "../shared/index.ts";
import { apiRoutes } from "./api.ts";
import { checkoutRoutes } from "./checkout.ts";
import { controlRoutes } from "./control.ts";
import { expire } from "./lifecycle.ts";
import { createNotifications } from "./notifications.ts";
import { placeOf } from "./places.ts";
import { shopRoutes } from "./shop-page.ts";
import { createStore } from "./store.ts";
import type { YooKassa } from "./twin.ts";

/** How often expired payments are looked for. */
const lookEveryMs = 5_000;

/** YooKassa API v3: payments and their page, saved methods, refunds, notifications. */
export function createYooKassaTwin(context: TwinContext): Twin {
  const store = createStore(context);
  const notifications = createNotifications({ context, store });
  const yookassa: YooKassa = { context, store, rates: createRates(context.clock), notifications };
  const look = setInterval(() => expire(yookassa), lookEveryMs);
  look.unref();
  return {
    name: "yookassa",
    async mount(app) {
      for (const routes of [apiRoutes, checkoutRoutes, shopRoutes, controlRoutes]) {
        await app.register((scope) => routes(scope, yookassa));
      }
    },
    chats: () => [],
    messages: () => [],
    places: () => store.world.shops.map((shop) => placeOf(yookassa, shop)).filter(({ items }) => items > 0),
    reset() {
      store.reset();
      yookassa.rates.clear();
    },
    async stop() {
      clearInterval(look);
      await notifications.stop();
    },
  };
}
