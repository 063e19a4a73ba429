import type { Twin, TwinContext } from "../shared/index.ts";
import type { Deps } from "./call.ts";
import { controlRoutes } from "./control.ts";
import { apiRoutes } from "./routes.ts";
import { createStore } from "./store.ts";
import { chatView, messageView } from "./view.ts";

/** People's own Telegram accounts, at the level of a client library: methods, and Telegram's answers. */
export function createTelegramAccountTwin(context: TwinContext): Twin {
  const store = createStore(context.state);
  const deps: Deps = { context, store };
  return {
    name: "telegram-account",
    async mount(app) {
      await app.register((scope) => apiRoutes(scope, deps));
      await app.register((scope) => controlRoutes(scope, deps));
    },
    chats: () => store.world.chats.map((chat) => chatView(chat, store)),
    messages(chatId, { before, limit }) {
      const messages = store.chat(Number(chatId))?.messages ?? [];
      const older = messages.filter(({ id }) => before === undefined || id < Number(before));
      return older.slice(-limit).map((message) => messageView(message, store));
    },
    reset: () => store.reset(),
  };
}
