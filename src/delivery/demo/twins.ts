import type { Sql } from "../../kernel/db/index.ts";
import { demo } from "./names.ts";
import { callTwins, openTwinChat, twinChatOf } from "./twin-api.ts";

export interface Introduced {
  readonly chats: number;
  /** Channels that people added and whose chats the twins cannot emulate, with the reason. */
  readonly unmirrored: readonly Unmirrored[];
}

export interface Unmirrored {
  readonly platform: string;
  readonly target: string;
  readonly why: string;
}

/**
 * Tells the twins about the demo bots and the chats in which they may post. Idempotent. People add their own channels to the
 * demo, and none of these may keep it from starting.
 */
export async function introduceToTwins(sql: Sql, twinsUrl: string): Promise<Introduced> {
  const unmirrored: Unmirrored[] = [];
  let chats = 0;
  for (const { platform, token, username } of demo.bots) {
    await callTwins(twinsUrl, "POST", `/_control/${platform}/bots`, { token, username, first_name: "Молва" });
    const channels = await sql<{ target: string; title: string | null }[]>`
      select target_id as target, title from delivery.channels
      where workspace_id = ${demo.workspaceId} and platform = ${platform} order by channel_id`;
    for (const { target, title } of channels) {
      const why = await mirrored(twinsUrl, { platform, chat: target, title: title ?? target, bot: username });
      if (why === undefined) chats++;
      else unmirrored.push({ platform, target, why });
    }
  }
  return { chats, unmirrored };
}

/** Undefined if the twins have the chat, else the reason why not. */
async function mirrored(
  twinsUrl: string,
  chat: Parameters<typeof openTwinChat>[1],
): Promise<string | undefined> {
  if (!twinChatOf(chat)) return "no chat has such an id";
  try {
    await openTwinChat(twinsUrl, chat);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Lines for a terminal; empty if there are none. */
export function unmirroredLines(channels: readonly Unmirrored[]): string[] {
  if (channels.length === 0) return [];
  return [
    "  Channels without a chat at the twins / каналы, чатов которых у двойников нет:",
    ...channels.map(({ platform, target, why }) => `    ${platform} ${target}: ${why}`),
  ];
}
