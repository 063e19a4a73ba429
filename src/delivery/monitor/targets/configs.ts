import { emailConfig } from "./email.ts";
import { telegramConfig } from "./telegram.ts";
import { webhookConfig } from "./webhook.ts";

export const targetKinds = ["telegram", "webhook", "email"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** What `alert_targets.config` holds, by kind. An unknown name is refused, because a typo would silently have no effect. */
export const targetConfigs = {
  telegram: telegramConfig.strict(),
  webhook: webhookConfig.strict(),
  email: emailConfig.strict(),
} as const;
