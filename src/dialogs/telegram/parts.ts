import { telegramApiRoot } from "../../platforms/index.ts";
import { perCore } from "../../workspaces/index.ts";
import type { TelegramBotDeps } from "./bot.ts";

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
