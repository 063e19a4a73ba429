import type { TwinContext } from "../shared/index.ts";
import type { Account, Session } from "./model.ts";
import type { Store } from "./store.ts";

export interface Deps {
  readonly context: TwinContext;
  readonly store: Store;
}

/** A method gives the answer's body, and the ids of messages it made. */
export interface Reply {
  readonly body: Readonly<Record<string, unknown>>;
  readonly created?: readonly string[];
}

/** A call by a key that may not be anybody's yet. */
export interface Call {
  readonly session: Session;
  readonly params: unknown;
}

export interface AuthorisedCall extends Call {
  readonly account: Account;
}
