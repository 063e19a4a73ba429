import type { Rates, TwinContext } from "../shared/index.ts";
import type { Updates } from "./events/updates.ts";
import type { Webhooks } from "./events/webhooks.ts";
import type { Store } from "./store.ts";

/** The parts of the twin, passed to its functions. */
export interface Max {
  readonly context: TwinContext;
  readonly store: Store;
  readonly rates: Rates;
  readonly updates: Updates;
  readonly webhooks: Webhooks;
}
