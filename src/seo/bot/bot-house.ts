/** What the installation's settings say about the bot. */
import type { OwnWebhook } from "../../dialogs/index.ts";
import { settingsOf } from "../../kernel/config/index.ts";
import type { Core } from "../../workspaces/index.ts";
import { seoSettings } from "../environment.ts";

/** As the document has it. */
export const webhookPath = "/webhook";
const updates: OwnWebhook["updates"] = ["message", "callback_query", "pre_checkout_query", "my_chat_member"];

export function botHouse(core: Pick<Core, "config">) {
  const values = settingsOf(core, seoSettings);
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_SECRET: secret } = values;
  const webhook: OwnWebhook | undefined =
    token !== undefined && secret !== undefined ? { path: webhookPath, token, secret, updates } : undefined;
  return {
    ...{ token, webhook },
    timing: {
      inactivityMinutes: values.FSM_INACTIVITY_TIMEOUT / 60,
      keepHours: values.FSM_TTL_SECONDS / 3_600,
    },
  };
}
