import type { Rates, TwinContext } from "../shared/index.ts";
import type { Shop } from "./model.ts";
import type { Notifications } from "./notifications.ts";
import type { Store } from "./store.ts";

export interface YooKassa {
  readonly context: TwinContext;
  readonly store: Store;
  readonly rates: Rates;
  readonly notifications: Notifications;
}

/** A call by a shop with a valid key. */
export interface Call {
  readonly shop: Shop;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly body: unknown;
  readonly created?: readonly string[];
}
