import type { Rates, TwinContext } from "../shared/index.ts";
import type { Account, App } from "./model.ts";
import type { Store } from "./store.ts";

export interface Pinterest {
  readonly context: TwinContext;
  readonly store: Store;
  readonly rates: Rates;
}

/** A call with a valid token that has the needed scope. */
export interface Call {
  readonly account: Account;
  readonly app: App;
  readonly sandbox: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly body: unknown;
  readonly created?: readonly string[];
}
