import { randomBytes } from "node:crypto";
import type { TwinContext } from "../shared/index.ts";
import type { Account, App, Board, Pin, World } from "./model.ts";

/** The twin's state, with the look-ups that calls need. */
export interface Store {
  readonly world: World;
  changed(): void;
  /** Ids are long numbers, sent as text. */
  newId(): string;
  newKey(): string;
  app(clientId: string | undefined): App | undefined;
  account(id: string | undefined): Account | undefined;
  board(id: string): Board | undefined;
  pin(id: string): Pin | undefined;
  /** Newest first. */
  pinsOf(boardId: string): Pin[];
  reset(): void;
}

const name = "pinterest";

export function createStore({ state }: Pick<TwinContext, "state">): Store {
  const world = state.load<World>(name) ?? emptyWorld();
  const changed = () => state.changed(name, () => world);
  return {
    world,
    changed,
    newId() {
      world.lastId += 1;
      return `8137442264207${String(world.lastId).padStart(5, "0")}`;
    },
    newKey: () => randomBytes(24).toString("hex"),
    app: (clientId) => world.apps.find(({ client_id }) => client_id === clientId),
    account: (id) => world.accounts.find((account) => account.id === id),
    board: (id) => world.boards.find((board) => board.id === id),
    pin: (id) => world.pins.find((pin) => pin.id === id),
    pinsOf: (boardId) => world.pins.filter((pin) => pin.boardId === boardId).reverse(),
    reset() {
      Object.assign(world, emptyWorld());
      changed();
    },
  };
}

function emptyWorld(): World {
  return { lastId: 0, apps: [], accounts: [], tokens: [], codes: [], boards: [], pins: [], flaggedHosts: [] };
}
