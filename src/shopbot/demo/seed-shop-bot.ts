import { callTwins, demo, isUnbound } from "../../delivery/index.ts";
import { keepCredential } from "../../workspaces/index.ts";
import { changeBot, renewSecret, type SetupDeps } from "../admin/bot-setup.ts";
import { demoShop } from "./demo-shop.ts";

interface SeedShopDeps extends SetupDeps {
  readonly twinsUrl?: string | undefined;
}

/** Adds the demo shop's bot. Idempotent. */
export async function seedShopBot(deps: SeedShopDeps): Promise<void> {
  const { sql, twinsUrl } = deps;
  const by = { operator: "molva seed" };
  const { token, authRef } = demoShop;
  // db/seed.sql has created the bot and its rules; the rest needs a vault and a server.
  if (await isUnbound(sql, "max", authRef)) {
    await keepCredential(deps, demo.workspaceId, { platform: "max", auth_ref: authRef }, { token }, by);
    await renewSecret(deps, demo.workspaceId, by);
    await changeBot(deps, demo.workspaceId, { keep_subscribed: true }, by);
  }
  if (twinsUrl) await introduceToTwin(twinsUrl);
}

async function introduceToTwin(twinsUrl: string): Promise<void> {
  const { token, username, title, operators } = demoShop;
  await callTwins(twinsUrl, "POST", "/_control/max/bots", {
    token,
    username,
    first_name: title,
    description: "Отвечает покупателям: доставка, оплата, возврат, гарантия, контакты",
  });
  await callTwins(twinsUrl, "POST", "/_control/max/chats", {
    chat_id: Number(operators.chatId),
    type: "chat",
    title: operators.title,
    members: [{ bot: username, is_admin: true }],
  });
}
