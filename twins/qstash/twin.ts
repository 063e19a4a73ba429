import type { IncomingHttpHeaders } from "node:http";
import type { TwinContext } from "../shared/index.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Store } from "./store.ts";

export interface QStash {
  readonly context: TwinContext;
  readonly store: Store;
  readonly deliveries: Deliveries;
}

/** A call with a valid token. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  /** The path as it was written: a destination is taken from it with its query string. */
  readonly rawUrl: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  readonly ip: string;
}

export interface Reply {
  readonly status?: number;
  readonly body: unknown;
  readonly created?: readonly string[];
  /** Instead of the body in the journal, where secrets would be. */
  readonly kept?: unknown;
}
