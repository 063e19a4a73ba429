import type { Clock } from "../kernel/clock/index.ts";
import type { Config, Environment } from "../kernel/config/index.ts";
import type { Vault } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import type { KeyValue } from "../kernel/kv/index.ts";
import type { Log } from "../kernel/log/index.ts";
import type { Metrics } from "../kernel/metrics/index.ts";
import type { GuardedClient, GuardedSockets, HttpClient } from "../kernel/outbound/index.ts";
import type { ObjectStorage } from "../kernel/storage/index.ts";
import type { Platforms } from "../platforms/index.ts";
import type { Credentials } from "./credentials/credentials.ts";
import type { Variables } from "./credentials/variables.ts";

/** The dependencies that all modules of a process share. A server creates it once, a command for its own run. */
export interface Core {
  readonly config: Config;
  readonly environment: Environment;
  /** The address of the twins, if they replace the providers. */
  readonly twinsUrl: string | undefined;
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly keyValue: KeyValue;
  readonly storage: ObjectStorage;
  readonly vault: Vault;
  readonly variables: Variables;
  readonly credentials: Credentials;
  readonly platforms: Platforms;
  /** The environment, with addresses of twins for providers that were not set: for `telegramApiRoot` and others. */
  readonly providerEnvironment: Environment;
  /** For previews of articles. */
  readonly telegraphApiRoot: string;
  /** For providers; a request times out after `MOLVA_SEND_TIMEOUT_SECONDS`. */
  readonly http: HttpClient;
  /** For providers whose answers take longer than any send (long polling, language models). */
  readonly patientHttp: HttpClient;
  /** For addresses from users. */
  readonly guarded: GuardedClient;
  readonly sockets: GuardedSockets;
  /** The address at which people and providers reach this installation. */
  readonly publicUrl: string;
  /** The address of this installation's HTTP server; this process, if it serves. */
  ownUrl(): string;
}

/** Creates a part of a module once for each core, so that all callers share it. */
export function perCore<Part>(make: (core: Core) => Part): (core: Core) => Part {
  const made = new WeakMap<Core, { readonly part: Part }>();
  return (core) => {
    const known = made.get(core);
    if (known) return known.part;
    const part = make(core);
    made.set(core, { part });
    return part;
  };
}
