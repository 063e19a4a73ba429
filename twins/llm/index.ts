import { createRates, type Twin, type TwinContext } from "../shared/index.ts";
import { type Brand, openAi, openRouter } from "./brand.ts";
import { controlRoutes } from "./control.ts";
import type { Deps } from "./deps.ts";
import { apiRoutes } from "./routes.ts";
import { createStore } from "./store.ts";
import { chatViews, messagesOf } from "./view.ts";

/** OpenRouter, emulated: chat completions of several vendors' models, with their price. */
export const createOpenRouterTwin = (context: TwinContext) => createTwin(openRouter, context);

/** OpenAI's chat completions, emulated: as any compatible server speaks them. */
export const createOpenAiTwin = (context: TwinContext) => createTwin(openAi, context);

function createTwin(brand: Brand, context: TwinContext): Twin {
  const store = createStore(context.state, brand);
  const rates = createRates(context.clock);
  const deps: Deps = { brand, context, store, rates };
  return {
    name: brand.name,
    async mount(app) {
      await app.register((scope) => apiRoutes(scope, deps));
      await app.register((scope) => controlRoutes(scope, deps));
    },
    chats: () => chatViews(brand, store),
    messages(chatId, { before, limit }) {
      const all = messagesOf(store, chatId);
      const end = before === undefined ? all.length : all.findIndex(({ id }) => id === before);
      return all.slice(0, Math.max(0, end)).slice(-limit);
    },
    reset() {
      store.reset();
      rates.clear();
    },
  };
}
