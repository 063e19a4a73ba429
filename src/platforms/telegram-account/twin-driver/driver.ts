import { type ConnectionSettings, createConnections } from "../connections/index.ts";
import type { AccountDriver } from "../contract.ts";
import { twinClient } from "./client.ts";
import { openTwin, type TwinDeps } from "./connection.ts";
import { twinLogins } from "./logins.ts";

export interface TwinDriverDeps extends TwinDeps {
  readonly connections?: Partial<ConnectionSettings>;
  onError?(error: unknown): void;
}

/** Accounts of the twin instead of Telegram's, over HTTP. */
export function createTwinDriver(deps: TwinDriverDeps): AccountDriver {
  const connections = createConnections({
    ...deps.connections,
    sql: deps.sql,
    open: (account) => openTwin(deps, account),
    shut: (twin) => twin.shut(),
    ...(deps.onError && { onError: (error: unknown) => deps.onError?.(error) }),
  });
  return {
    open: async (account) => twinClient(account, connections),
    logins: twinLogins(connections),
    close: () => connections.close(),
  };
}
