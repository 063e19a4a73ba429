import type { Rates, TwinContext } from "../shared/index.ts";
import type { Token, TokenKind } from "./model.ts";
import type { Params } from "./params.ts";
import type { Store } from "./store.ts";

/** The parts of the twin, passed to its functions. */
export interface Vk {
  readonly context: TwinContext;
  readonly store: Store;
  readonly rates: Rates;
}

export interface Call {
  readonly token: Token;
  readonly params: Params;
}

export interface Reply {
  readonly response: unknown;
  /** Ids of the posts it created, for the journal. */
  readonly created?: readonly string[];
}

export interface Method {
  /** The kinds of tokens that may call it. */
  readonly kinds: readonly TokenKind[];
  /** The right that the token must have been given. */
  readonly scope?: string;
  /** Whether VK may ask for a captcha first. */
  readonly writes?: boolean;
  handle(vk: Vk, call: Call): Reply;
}
