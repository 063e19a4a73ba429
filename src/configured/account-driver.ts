import { createSessionStore } from "../accounts/index.ts";
import type { Config } from "../kernel/config/index.ts";
import type { Vault } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import type { Log } from "../kernel/log/index.ts";
import {
  type AccountDriver,
  createMtcuteDriver,
  createTwinDriver,
  type MtcuteDriverDeps,
  type TwinDriverDeps,
} from "../platforms/index.ts";

type AccountDriverDeps = Pick<TwinDriverDeps, "http"> &
  Pick<MtcuteDriverDeps, "sockets"> & { readonly sql: Sql; readonly vault: Vault; readonly log: Log };

/**
 * Who speaks with Telegram for people's own accounts: Telegram itself, as an application that is registered with it; without
 * one, the twin if it runs; else nobody.
 */
export function accountDriverOf(
  config: Config,
  { log, sockets, http, ...kept }: AccountDriverDeps,
  twinsUrl: string | undefined,
): AccountDriver | undefined {
  const { MOLVA_TELEGRAM_API_ID: apiId, MOLVA_TELEGRAM_API_HASH: apiHash } = config;
  const deps = { http, sessions: createSessionStore(kept) };
  const onError = (error: unknown) => log.warn({ err: error }, "an account's connection had trouble");
  if (apiId !== undefined && apiHash !== undefined)
    return createMtcuteDriver({
      ...deps,
      sockets,
      apiId,
      apiHash,
      onError,
      log: (line) => log.debug({ line }, "mtcute"),
    });
  const twin = accountTwinOf(config, twinsUrl);
  return twin ? createTwinDriver({ ...deps, onError, root: `${twin}/telegram-account` }) : undefined;
}

/** Where the twins are, if accounts are to be theirs. */
export function accountTwinOf(config: Config, twinsUrl: string | undefined): string | undefined {
  return config.MOLVA_TELEGRAM_API_ID === undefined ? twinsUrl : undefined;
}
