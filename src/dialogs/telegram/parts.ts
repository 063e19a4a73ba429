import { perCore } from "../../workspaces/index.ts";
import type { TelegramBotDeps } from "./bot.ts";

/** What every bot of Telegram shares. */
export const telegramBots = perCore((core): TelegramBotDeps => {
  const { sql, clock, log, keyValue, credentials, patientHttp, apiRoots, config } = core;
  // Telegram brings updates to nothing but https.
  const url = config.MOLVA_PUBLIC_URL;
  return {
    ...{ sql, clock, log, keyValue, http: patientHttp, token: credentials.token },
    apiRoot: apiRoots.telegram,
    webhooksAt: () => (url?.startsWith("https:") ? url : undefined),
  };
});
