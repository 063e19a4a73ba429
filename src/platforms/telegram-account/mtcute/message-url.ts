import type { MtcuteSession } from "./session.ts";

/** Telegram adds this to the id of a channel or a supergroup. */
const channelMark = 1_000_000_000_000;

/** The message's address; basic groups have none. */
export async function messageUrl(
  { client }: MtcuteSession,
  chatId: string,
  messageId: number | undefined,
): Promise<string | undefined> {
  const id = Number(chatId);
  if (messageId === undefined || id > -channelMark) return undefined;
  const chat = await client.storage.peers.getCompleteById(id);
  const username = chat?._ === "channel" ? (chat.username ?? chat.usernames?.[0]?.username) : undefined;
  return `https://t.me/${username ?? `c/${-id - channelMark}`}/${messageId}`;
}
