import type { Twin, TwinContext } from "../shared/index.ts";
import { apiRoutes } from "./api.ts";
import { consoleRoutes } from "./console-page.ts";
import { controlRoutes } from "./control.ts";
import { createDeliveries } from "./deliveries.ts";
import { accountPlace } from "./places.ts";
import { createStore } from "./store.ts";

/** Upstash QStash: messages and schedules that are sent to an address, signed and retried. */
export function createQStashTwin(context: TwinContext): Twin {
  const store = createStore(context);
  const deliveries = createDeliveries({ context, store });
  const qstash = { context, store, deliveries };
  return {
    name: "qstash",
    async mount(app) {
      for (const routes of [apiRoutes, consoleRoutes, controlRoutes])
        await app.register((scope) => routes(scope, qstash));
    },
    chats: () => [],
    messages: () => [],
    places: () => [accountPlace(qstash)].filter(({ items }) => items > 0),
    reset: () => store.reset(),
    stop: () => deliveries.stop(),
  };
}
