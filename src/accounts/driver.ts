import { type AccountDriver, createMtcuteDriver, createTwinDriver } from "../platforms/index.ts";
import type { Core } from "../workspaces/index.ts";
import { createSessionStore } from "./sessions/session-store.ts";

/**
 * Who speaks with Telegram for people's own accounts: Telegram itself, as an application that is registered with it; without
 * one, the twin if it runs; else nobody.
 */
export function driverOf(core: Core): AccountDriver | undefined {
  const { config, log, sockets, http, sql, vault } = core;
  const { MOLVA_TELEGRAM_API_ID: apiId, MOLVA_TELEGRAM_API_HASH: apiHash } = config;
  const onError = (error: unknown) => log.warn({ err: error }, "an account's connection had trouble");
  const deps = { http, sessions: createSessionStore({ sql, vault }), onError };
  if (apiId !== undefined && apiHash !== undefined)
    return createMtcuteDriver({
      ...{ ...deps, sockets, apiId, apiHash },
      log: (line) => log.debug({ line }, "mtcute"),
    });
  const twin = twinOf(core);
  return twin ? createTwinDriver({ ...deps, root: `${twin}/telegram-account` }) : undefined;
}

/** Where the twins are, if accounts are to be theirs. */
export function twinOf({ config, twinsUrl }: Core): string | undefined {
  return config.MOLVA_TELEGRAM_API_ID === undefined ? twinsUrl : undefined;
}
