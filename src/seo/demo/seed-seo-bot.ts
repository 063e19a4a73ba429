import { callTwins, demo } from "../../delivery/index.ts";
import { type Core, keepCredential } from "../../workspaces/index.ts";
import { botName } from "../bot/bot-name.ts";
import { demoBusiness } from "./demo-business.ts";

/** The demo's bot, which the Telegram twin knows. */
export const demoSeoBot = {
  username: "seo_master_bot",
  title: "SEO Master",
  token: `7000000004:${"S".repeat(35)}`,
} as const;

/** Adds SEO Master's bot to the demo. Idempotent. */
export async function seedSeoBot(core: Pick<Core, "sql" | "clock" | "vault" | "twinsUrl">): Promise<void> {
  const { token, username, title } = demoSeoBot;
  const key = { platform: "telegram", auth_ref: botName };
  const bound = await core.sql`
    select from workspaces.credential_bindings
    where workspace_id = ${demo.workspaceId} and auth_ref = ${botName} and platform = 'telegram'`;
  if (bound.length === 0)
    await keepCredential(core, demo.workspaceId, key, { token }, { operator: "molva seed" });
  if (!core.twinsUrl) return;
  await callTwins(core.twinsUrl, "POST", "/_control/telegram/bots", { token, username, first_name: title });
  // The business that has a project and a site already.
  await callTwins(core.twinsUrl, "POST", "/_control/telegram/chats", {
    ...{ id: demoBusiness.userId, type: "private", first_name: "Лавка «Два листа»", language_code: "ru" },
    members: [{ bot: username }],
  });
}
