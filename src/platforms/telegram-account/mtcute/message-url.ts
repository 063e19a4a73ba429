import type { MtcuteSession } from "./session.ts";

/** What Telegram adds to the number of a channel or a supergroup. */
const channelMark = 1_000_000_000_000;

/** Where a person opens the message; groups of the old kind have no addresses. */
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
