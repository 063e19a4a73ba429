import { createRates, type Twin, type TwinContext } from "../shared/index.ts";
import { apiRoutes } from "./api.ts";
import { controlRoutes } from "./control/index.ts";
import { createUpdates } from "./events/updates.ts";
import { createWebhooks } from "./events/webhooks.ts";
import { uploadRoute } from "./files/upload-route.ts";
import { createStore } from "./store.ts";
import type { Max } from "./twin.ts";
import { chatView, messageView } from "./views.ts";

/** The MAX Bot API as of 2026: its calls, limits, uploads and events. */
export function createMaxTwin(context: TwinContext): Twin {
  const store = createStore(context);
  const webhooks = createWebhooks({ context, store });
  const updates = createUpdates({ context, store, webhooks });
  const max: Max = { context, store, rates: createRates(context.clock), updates, webhooks };

  return {
    name: "max",
    async mount(app) {
      await app.register((scope) => apiRoutes(scope, max));
      await app.register((scope) => uploadRoute(scope, max));
      await app.register((scope) => controlRoutes(scope, max));
    },
    chats: () => store.world.chats.map((chat) => chatView(store, chat)),
    messages(chatId, { before, limit }) {
      const shown = store.messagesOf(Number(chatId)).filter(({ deleted }) => !deleted);
      const end = before === undefined ? -1 : shown.findIndex(({ body }) => body.mid === before);
      const earlier = end < 0 ? shown : shown.slice(0, end);
      return earlier.slice(-limit).map((message) => messageView(store, message));
    },
    reset() {
      store.reset();
      max.rates.clear();
    },
    stop: () => webhooks.stop(),
  };
}
