import { settingsOf } from "../kernel/config/index.ts";
import { type AccountDriver, createMtcuteDriver, createTwinDriver } from "../platforms/index.ts";
import type { Core } from "../workspaces/index.ts";
import { accountSettings } from "./environment.ts";
import { createSessionStore } from "./sessions/session-store.ts";

/** Connects accounts to Telegram through the configured application, else to the twin if it runs; undefined if there is neither. */
export function driverOf(core: Core): AccountDriver | undefined {
  const { log, sockets, http, sql, vault } = core;
  const { MOLVA_TELEGRAM_API_ID: apiId, MOLVA_TELEGRAM_API_HASH: apiHash } = settingsOf(
    core,
    accountSettings,
  );
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

/** The twins' address, unless a real Telegram application is configured. */
export function twinOf(core: Core): string | undefined {
  return settingsOf(core, accountSettings).MOLVA_TELEGRAM_API_ID === undefined ? core.twinsUrl : undefined;
}
