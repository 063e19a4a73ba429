import { createMailer } from "../delivery/index.ts";
import type { Config } from "../kernel/config/index.ts";

export function mailerOf(config: Config) {
  const { MOLVA_SMTP_URL: url, MOLVA_SMTP_FROM: from } = config;
  return url ? createMailer({ url, from }) : undefined;
}
