import { createRates, type Twin, type TwinContext } from "../shared/index.ts";
import { apiRoutes } from "./api.ts";
import { controlRoutes } from "./control.ts";
import { pageRoutes } from "./pages/routes.ts";
import { communityRoutes } from "./sign-in/community.ts";
import { vkIdRoutes } from "./sign-in/vk-id.ts";
import { createStore } from "./store.ts";
import type { Vk } from "./twin.ts";
import { uploadRoute } from "./upload-route.ts";
import { chatViews, messageView } from "./views.ts";

/** VK API 5.199: walls of communities, photos for them, tokens of all kinds and how to get them. */
export function createVkTwin(context: TwinContext): Twin {
  const vk: Vk = { context, store: createStore(context), rates: createRates(context.clock) };
  const { store } = vk;
  return {
    name: "vk",
    async mount(app) {
      for (const routes of [apiRoutes, uploadRoute, vkIdRoutes, communityRoutes, pageRoutes, controlRoutes]) {
        await app.register((scope) => routes(scope, vk));
      }
    },
    chats: () => chatViews(vk),
    messages(chatId, { before, limit }) {
      const ownerId = chatId.startsWith("id") ? Number(chatId.slice(2)) : -Number(chatId);
      const older = store.wall(ownerId).filter(({ id }) => before === undefined || id < Number(before));
      return older.slice(-limit).map((post) => messageView(vk, post));
    },
    reset() {
      store.reset();
      vk.rates.clear();
    },
  };
}
