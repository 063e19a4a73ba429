import { MtPeerNotFoundError, type tl, toggleChannelIdMark } from "@mtcute/core";
import type { JoinedChat } from "../contract.ts";
import type { ChatLink } from "../links.ts";
import { shownChat } from "./chats.ts";
import type { MtcuteSession } from "./session.ts";

/** Joins by a public name or an invitation. If the account is in the chat already, no join is spent. */
export async function join(session: MtcuteSession, link: ChatLink): Promise<JoinedChat> {
  if (link.kind === "invite") {
    const invite = await session.call({ _: "messages.checkChatInvite", hash: link.hash });
    if (invite._ === "chatInviteAlready") return joined(invite.chat, true);
    return entered(await session.call({ _: "messages.importChatInvite", hash: link.hash }));
  }
  const known = await knownMember(session, link.username);
  if (known) return joined(known, true);
  const found = await session.call({ _: "contacts.resolveUsername", username: link.username });
  const [chat] = found.chats;
  // The name belongs to a person or a bot.
  if (chat?._ !== "channel" || !chat.accessHash) throw new MtPeerNotFoundError(link.username);
  if (!chat.left) return joined(chat, true);
  const channel = { _: "inputChannel", channelId: chat.id, accessHash: chat.accessHash } as const;
  return entered(await session.call({ _: "channels.joinChannel", channel }));
}

/** Resolving usernames is rate-limited, so a chat that is known and joined is not resolved. */
async function knownMember({ client }: MtcuteSession, username: string): Promise<tl.RawChannel | undefined> {
  await client.prepare();
  const { peers } = client.storage;
  const peer = await peers.getByUsername(username);
  if (peer?._ !== "inputPeerChannel") return undefined;
  const chat = await peers.getCompleteById(toggleChannelIdMark(peer.channelId));
  return chat?._ === "channel" && !chat.left && !chat.min ? chat : undefined;
}

function entered(result: tl.messages.TypeChatInviteJoinResult): JoinedChat {
  const chats = "updates" in result && "chats" in result.updates ? result.updates.chats : [];
  return joined(chats[0], false);
}

function joined(chat: tl.TypeChat | undefined, alreadyMember: boolean): JoinedChat {
  const shown = chat && shownChat(chat);
  if (!shown) throw new MtPeerNotFoundError("the link leads to no chat that can be written to");
  return { ...shown, alreadyMember };
}
