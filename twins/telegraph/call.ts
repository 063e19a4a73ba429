import type { Rates, TwinContext } from "../shared/index.ts";
import type { Params } from "./params.ts";
import type { Store } from "./store.ts";

export interface Deps {
  readonly context: TwinContext;
  readonly store: Store;
  readonly rates: Rates;
}

/** One call of a method. */
export interface Call {
  readonly params: Params;
  /** The part after the method's name: the path of a page. */
  readonly path: string | undefined;
  /** The address it came from. */
  readonly ip: string;
}

/** A method returns the `result`, and the path of a page it created. */
export interface Reply {
  readonly result: Readonly<Record<string, unknown>>;
  readonly created?: string;
}

export type Method = (call: Call, deps: Deps) => Reply;
