import type { TwinContext } from "../shared/index.ts";
import type { Account, Session } from "./model.ts";
import type { Store } from "./store.ts";

export interface Deps {
  readonly context: TwinContext;
  readonly store: Store;
}

/** A method returns the answer's body, and the ids of messages it created. */
export interface Reply {
  readonly body: Readonly<Record<string, unknown>>;
  readonly created?: readonly string[];
}

/** A call with a key that may not be signed in yet. */
export interface Call {
  readonly session: Session;
  readonly params: unknown;
}

export interface AuthorisedCall extends Call {
  readonly account: Account;
}
