import type { Sql } from "../../kernel/db/index.ts";
import { demo } from "./names.ts";
import { callTwins, openTwinChat } from "./twin-api.ts";

/** Tells the twins about the demo bots and the chats in which they may post. Repeating it changes nothing. */
export async function introduceToTwins(sql: Sql, twinsUrl: string): Promise<number> {
  let chats = 0;
  for (const { platform, token, username } of demo.bots) {
    await callTwins(twinsUrl, "POST", `/_control/${platform}/bots`, { token, username, first_name: "Молва" });
    const channels = await sql<{ chat: string; title: string }[]>`
      select target_id as chat, title from delivery.channels
      where workspace_id = ${demo.workspaceId} and platform = ${platform} order by channel_id`;
    for (const channel of channels) await openTwinChat(twinsUrl, { ...channel, platform, bot: username });
    chats += channels.length;
  }
  return chats;
}
