import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import type { CallMetrics } from "../metrics.ts";
import type { Circuits } from "../providers/circuits.ts";
import type { Providers } from "../providers/settings.ts";
import type { CallSettler } from "./call-settler.ts";

export interface CallDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly http: HttpClient;
  readonly providers: Providers;
  readonly circuits: Circuits;
  readonly settler: CallSettler;
  readonly metrics?: CallMetrics | undefined;
  /** The public address of this server, which is sent to providers. */
  readonly appUrl: string;
  readonly random: () => number;
  /** Ends early, without an error, when the signal fires. */
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}
