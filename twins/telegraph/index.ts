import { createRates, type Twin, type TwinContext } from "../shared/index.ts";
import type { Deps } from "./call.ts";
import { controlRoutes } from "./control.ts";
import { apiRoutes } from "./routes.ts";
import { createStore } from "./store.ts";
import { placeOf } from "./view.ts";

/** Telegraph, emulated: accounts, pages made of nodes, and the pages as people read them. */
export function createTelegraphTwin(context: TwinContext): Twin {
  const store = createStore(context.state);
  const rates = createRates(context.clock);
  const deps: Deps = { context, store, rates };
  return {
    name: "telegraph",
    async mount(app) {
      await app.register((scope) => apiRoutes(scope, deps));
      await app.register((scope) => controlRoutes(scope, deps));
    },
    chats: () => [],
    messages: () => [],
    places: () => store.world.accounts.map((account) => placeOf(account, store)),
    reset() {
      store.reset();
      rates.clear();
    },
  };
}
