import type { Twin, TwinContext } from "../shared/index.ts";
import { controlRoutes } from "./control.ts";
import { siteRoutes } from "./http.ts";
import { createStore } from "./store.ts";
import type { WordPress } from "./twin.ts";
import { isPublic, messageView, placeView } from "./views.ts";

/** Self-hosted WordPress sites: the REST API of WordPress 6.5, and the pages that readers see. */
export function createWordPressTwin(context: TwinContext): Twin {
  const store = createStore(context);
  const wordpress: WordPress = { context, store };
  return {
    name: "wordpress",
    async mount(app) {
      await app.register((scope) => siteRoutes(scope, wordpress));
      await app.register((scope) => controlRoutes(scope, wordpress));
    },
    chats: () => [],
    places: () => store.world.sites.map(placeView),
    messages(chatId, { before, limit }) {
      const site = store.site(chatId);
      if (!site) return [];
      const shown = site.posts
        .filter(isPublic)
        .sort((one, other) => one.date - other.date || one.id - other.id);
      const end = before === undefined ? -1 : shown.findIndex(({ id }) => String(id) === before);
      return (end < 0 ? shown : shown.slice(0, end))
        .slice(-limit)
        .map((post) => messageView(wordpress, site, post));
    },
    reset: () => store.reset(),
  };
}
