import { telegramApiRoot } from "../../platforms/index.ts";
import { perCore } from "../../workspaces/index.ts";
import type { BotKey } from "../engine/dialogue.ts";
import type { TelegramBotDeps } from "./bot.ts";
import { type TelegramApi, telegramApi } from "./client.ts";
import { tokenOf } from "./token.ts";

/** What all Telegram bots share. */
export const telegramBots = perCore((core): TelegramBotDeps => {
  const { sql, clock, log, keyValue, credentials, patientHttp, providerEnvironment, config } = core;
  // Telegram sends webhooks to https only.
  const url = config.MOLVA_PUBLIC_URL;
  return {
    ...{ sql, clock, log, keyValue, http: patientHttp, token: credentials.token },
    apiRoot: telegramApiRoot(providerEnvironment),
    webhooksAt: () => (url?.startsWith("https:") ? url : undefined),
  };
});

/** The Bot API as one bot of a workspace, for what is no conversation. */
export function botApi(key: BotKey, deps: TelegramBotDeps): TelegramApi {
  const { http, apiRoot } = deps;
  return telegramApi({ http, apiRoot, token: () => tokenOf(key, deps) });
}
