import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import type { CallMetrics } from "../metrics.ts";
import type { Circuits } from "../providers/circuits.ts";
import type { Providers } from "../providers/settings.ts";
import type { Settling } from "./settling.ts";

export interface CallDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly http: HttpClient;
  readonly providers: Providers;
  readonly circuits: Circuits;
  readonly settling: Settling;
  readonly metrics?: CallMetrics | undefined;
  /** How people reach this server; providers are told it. */
  readonly appUrl: string;
  readonly random: () => number;
  /** Ends early, without an error, when called off. */
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}
