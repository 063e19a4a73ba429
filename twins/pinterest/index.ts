import { createRates, type Twin, type TwinContext } from "../shared/index.ts";
import { apiRoutes } from "./api.ts";
import { controlRoutes } from "./control.ts";
import { oauthRoutes } from "./oauth.ts";
import { pageRoutes } from "./pages.ts";
import { createStore } from "./store.ts";
import type { Pinterest } from "./twin.ts";
import { boardView, pinView } from "./views.ts";

/** Pinterest API v5: consent and tokens, boards, Pins, and both as visitors see them. */
export function createPinterestTwin(context: TwinContext): Twin {
  const pinterest: Pinterest = { context, store: createStore(context), rates: createRates(context.clock) };
  const { store } = pinterest;
  return {
    name: "pinterest",
    async mount(app) {
      for (const routes of [apiRoutes, oauthRoutes, pageRoutes, controlRoutes]) {
        await app.register((scope) => routes(scope, pinterest));
      }
    },
    chats: () => store.world.boards.map((board) => boardView(pinterest, board)),
    messages(chatId, { before, limit }) {
      const older = store.pinsOf(chatId).filter(({ id }) => before === undefined || id < before);
      return older
        .slice(0, limit)
        .reverse()
        .map((pin) => pinView(pinterest, pin));
    },
    reset() {
      store.reset();
      pinterest.rates.clear();
    },
  };
}
