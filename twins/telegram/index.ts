import { createRates, type Twin, type TwinContext } from "../shared/index.ts";
import type { Deps } from "./call.ts";
import { controlRoutes } from "./control.ts";
import { apiRoutes, runUnseen } from "./routes.ts";
import { starsControl } from "./stars/control.ts";
import { renewDue } from "./stars/subscriptions.ts";
import { createStore } from "./store.ts";
import { createUpdates } from "./updates.ts";
import { chatView, messageView } from "./view.ts";
import { createWebhooks } from "./webhooks.ts";

const renewEveryMs = 1_000;

/** The Telegram Bot API, emulated. */
export function createTelegramTwin(context: TwinContext): Twin {
  const store = createStore(context.state);
  const rates = createRates(context.clock);
  const updates = createUpdates(store, context);
  const webhooks = createWebhooks({
    context,
    store,
    run: (bot, method, fields) => runUnseen(bot, method, fields, deps),
  });
  const deps: Deps = { context, store, rates, updates, webhooks };
  updates.onPush((bot) => webhooks.wake(bot));
  const renewing = setInterval(() => renewDue(deps), renewEveryMs);
  renewing.unref();

  return {
    name: "telegram",
    async mount(app) {
      await app.register((scope) => apiRoutes(scope, deps));
      await app.register((scope) => controlRoutes(scope, deps));
      await app.register((scope) => starsControl(scope, deps));
      // Undelivered updates are sent after a restart.
      for (const bot of store.bots()) webhooks.wake(bot);
    },
    chats: () => store.chats().map((chat) => chatView(chat, store)),
    messages(chatId, { before, limit }) {
      const chat = store.chatById(Number(chatId));
      const older = chat?.messages.filter(({ id }) => before === undefined || id < Number(before)) ?? [];
      return older.slice(-limit).flatMap((message) => (chat ? [messageView(chat, message, store)] : []));
    },
    reset() {
      store.reset();
      rates.clear();
    },
    stop() {
      clearInterval(renewing);
      return webhooks.stop();
    },
  };
}
