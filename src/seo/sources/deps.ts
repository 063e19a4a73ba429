import type { CallCost } from "../../billing/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";

/** Shared by all sources of one process. */
export interface SourceDeps {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly keyValue: KeyValue;
  readonly log: Log;
  readonly pause: (ms: number) => Promise<void>;
  /** Called once for each call that reached a provider, never for a cached answer. */
  readonly noteCost: (cost: CallCost) => Promise<void>;
  readonly newId: () => string;
}
