import type { Sql } from "../../kernel/db/index.ts";
import { demo } from "./names.ts";

/** Tells the twins about the demo bots and the chats in which they may post. Repeating it changes nothing. */
export async function introduceToTwins(sql: Sql, twinsUrl: string): Promise<number> {
  for (const { platform, token, username } of demo.bots) {
    await tell(`${twinsUrl}/_control/${platform}/bots`, { token, username, first_name: "Молва" });
  }
  const channels = await sql<{ platform: "telegram" | "max"; target_id: string; title: string }[]>`
    select platform, target_id, title from delivery.channels
    where workspace_id = ${demo.workspaceId} order by channel_id`;
  for (const channel of channels) {
    await tell(`${twinsUrl}/_control/${channel.platform}/chats`, chatOf(channel));
  }
  return channels.length;
}

function chatOf({
  platform,
  target_id,
  title,
}: {
  platform: "telegram" | "max";
  target_id: string;
  title: string;
}): unknown {
  if (platform === "telegram") {
    const bot = { bot: "molva_demo_bot", status: "administrator", can_post_messages: true };
    return { id: Number(target_id), type: "channel", title, members: [bot] };
  }
  const bot = { bot: "molva_demo_bot", is_admin: true, permissions: ["write"] };
  return { chat_id: Number(target_id), type: "channel", title, members: [bot] };
}

async function tell(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the twins refused ${url}: ${answer.status} ${await answer.text()}`);
}
