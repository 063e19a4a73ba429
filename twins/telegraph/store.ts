import type { StateStore } from "../shared/index.ts";
import type { Account, Page, World } from "./model.ts";

export interface Store {
  readonly world: World;
  changed(): void;
  newId(): number;
  account(id: number): Account | undefined;
  accountByToken(token: string): Account | undefined;
  page(path: string): Page | undefined;
  /** Newest first. */
  pagesOf(account: Account): Page[];
  reset(): void;
}

const name = "telegraph";

export function createStore(state: StateStore): Store {
  const world = state.load<World>(name) ?? emptyWorld();
  const changed = () => state.changed(name, () => world);
  return {
    world,
    changed,
    newId() {
      world.lastId += 1;
      return world.lastId;
    },
    account: (id) => world.accounts.find((account) => account.id === id),
    accountByToken: (token) => world.accounts.find((account) => account.token === token),
    page: (path) => world.pages.find((page) => page.path === path),
    pagesOf: ({ id }) => world.pages.filter((page) => page.accountId === id).reverse(),
    reset() {
      Object.assign(world, emptyWorld());
      changed();
    },
  };
}

function emptyWorld(): World {
  return { lastId: 0, accounts: [], pages: [], options: { unknownTags: "refuse" } };
}
