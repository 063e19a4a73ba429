import { readFile } from "node:fs/promises";
import { callTwins, demo } from "../../delivery/index.ts";
import { paths } from "../../kernel/paths/index.ts";
import { changeBot, type SetupDeps, setUpBot } from "../admin/setup.ts";
import { type ApplyDeps, applyFile, currentFile } from "../rules/releases.ts";
import { demoShop } from "./names.ts";

export interface SeedShopDeps extends SetupDeps, ApplyDeps {
  readonly twinsUrl?: string | undefined;
}

/** A shop whose bot answers in the demo workspace. Running it again changes nothing that is there. */
export async function seedShopBot(deps: SeedShopDeps): Promise<void> {
  const { sql, twinsUrl } = deps;
  const by = { operator: "molva seed" };
  const known = await sql`select from shopbot.bots where workspace_id = ${demo.workspaceId}`;
  if (known.length === 0) {
    const { title, token, authRef, operators } = demoShop;
    const bot = { title, token, auth_ref: authRef, operators_chat_id: operators.chatId };
    await setUpBot(deps, demo.workspaceId, bot, by);
    await changeBot(deps, demo.workspaceId, { keep_subscribed: true }, by);
  }
  if ((await currentFile(sql, demo.workspaceId)) === undefined)
    await applyFile(deps, demo.workspaceId, await readFile(paths.shopBot, "utf8"), by);
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
