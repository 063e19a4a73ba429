import type { Rates, TwinContext } from "../shared/index.ts";
import type { Bot } from "./model.ts";
import type { Params } from "./params.ts";
import type { Store } from "./store.ts";
import type { Updates } from "./updates.ts";
import type { Webhooks } from "./webhooks.ts";

/** What every method of the API needs. */
export interface Deps {
  readonly context: TwinContext;
  readonly store: Store;
  readonly rates: Rates;
  readonly updates: Updates;
  readonly webhooks: Webhooks;
}

/** One call of a method by an authorised bot. */
export interface MethodCall {
  readonly bot: Bot;
  readonly params: Params;
  /** Aborted when the client leaves. */
  readonly left: AbortSignal;
  /** The ids of messages that the call has created so far, for the journal. */
  readonly created: string[];
}

/** Returns the `result` of the answer, or throws an ApiError. */
export type Method = (call: MethodCall, deps: Deps) => unknown;
