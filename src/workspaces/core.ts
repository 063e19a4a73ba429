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

/** What every module of one process is made from: a server makes it once, a command for as long as it runs. */
export interface Core {
  readonly config: Config;
  readonly environment: Environment;
  /** Where the twins run, when they stand in for the providers. */
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
  /** Where the messengers' APIs are, for what is done there besides posting. */
  readonly apiRoots: Readonly<Record<"telegram" | "max", string>>;
  /** To providers; a request ends after `MOLVA_SEND_TIMEOUT_SECONDS`. */
  readonly http: HttpClient;
  /** To providers that hold a question open longer than any sending may take. */
  readonly patientHttp: HttpClient;
  /** To addresses that users name. */
  readonly guarded: GuardedClient;
  readonly sockets: GuardedSockets;
  /** Where people and providers reach this installation. */
  readonly publicUrl: string;
  /** Where this installation's own HTTP answers: this process, if it serves. */
  ownUrl(): string;
}

/** Makes a part of a module once for each core, so that whoever asks for it gets the same. */
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
