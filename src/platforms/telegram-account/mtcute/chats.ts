import { Long, type tl, toggleChannelIdMark } from "@mtcute/core";
import type { AccountChat } from "../contract.ts";
import { refusalOf } from "./failure.ts";
import type { MtcuteSession } from "./session.ts";

const pageSize = 100;
/** More pages than Telegram's limit of chats allows; a loop that exceeds it is stuck. */
const mostPages = 100;
/** The length of slow mode is not in the list; it takes one request per chat. */
const mostQuestions = 30;

/** Groups, supergroups and channels the account can write to. */
export async function writableChats(session: MtcuteSession): Promise<readonly AccountChat[]> {
  const chats = await loadDialogs(session);
  const writable = chats.flatMap((chat) => (mayWrite(chat) ? (shownChat(chat) ?? []) : []));
  const slow = chats.filter((chat) => chat._ === "channel" && chat.slowmodeEnabled);
  const seconds = await slowModes(session, slow);
  return writable.map((chat) => {
    const wait = seconds.get(chat.chatId);
    return wait === undefined ? chat : { ...chat, slowModeSeconds: wait };
  });
}

/** Reads all of the account's chats; mtcute stores how each is reached. */
export async function loadDialogs(session: MtcuteSession): Promise<readonly tl.TypeChat[]> {
  const chats = new Map<number, tl.TypeChat>();
  let offset: Offset = { offsetDate: 0, offsetId: 0, offsetPeer: { _: "inputPeerEmpty" } };
  for (let page = 0; page < mostPages; page += 1) {
    const result = await session.call({
      _: "messages.getDialogs",
      ...offset,
      limit: pageSize,
      hash: Long.ZERO,
    });
    if (result._ === "messages.dialogsNotModified") break;
    for (const chat of result.chats) chats.set(chat.id, chat);
    const next = result._ === "messages.dialogsSlice" ? await after(session, result) : undefined;
    if (!next) break;
    offset = next;
  }
  return [...chats.values()];
}

type Offset = Pick<tl.messages.RawGetDialogsRequest, "offsetDate" | "offsetId" | "offsetPeer">;

/** Where the next page begins: at the last dialog whose newest message is known. */
async function after(
  { client }: MtcuteSession,
  { dialogs, messages }: tl.messages.RawDialogsSlice,
): Promise<Offset | undefined> {
  const last = dialogs.at(-1);
  if (!last || dialogs.length < pageSize) return undefined;
  const top = messages.find((message) => message.id === last.topMessage && samePeer(message, last.peer));
  const offsetPeer = await client.storage.peers.getById(markedId(last.peer));
  if (!offsetPeer || !top || top._ === "messageEmpty") return undefined;
  return { offsetDate: top.date, offsetId: last.topMessage, offsetPeer };
}

function samePeer(message: tl.TypeMessage, peer: tl.TypePeer): boolean {
  return message._ !== "messageEmpty" && markedId(message.peerId) === markedId(peer);
}

function markedId(peer: tl.TypePeer): number {
  if (peer._ === "peerUser") return peer.userId;
  return peer._ === "peerChat" ? -peer.chatId : toggleChannelIdMark(peer.channelId);
}

export function shownChat(chat: tl.TypeChat): AccountChat | undefined {
  if (chat._ === "chat") {
    return { chatId: String(-chat.id), title: chat.title, type: "group", members: chat.participantsCount };
  }
  if (chat._ !== "channel") return undefined;
  const username = chat.username ?? chat.usernames?.find(({ active }) => active)?.username;
  return {
    chatId: String(toggleChannelIdMark(chat.id)),
    title: chat.title,
    type: chat.broadcast ? "channel" : "supergroup",
    ...(username !== undefined && { username }),
    ...(chat.participantsCount !== undefined && { members: chat.participantsCount }),
  };
}

/** As far as the list tells; temporary restrictions are learnt when something is sent. */
function mayWrite(chat: tl.TypeChat): boolean {
  if (chat._ !== "chat" && chat._ !== "channel") return false;
  if (chat.left) return false;
  if (chat._ === "chat" && (chat.deactivated || chat.migratedTo)) return false;
  if (chat.creator) return true;
  if (chat._ === "channel" && chat.broadcast) return chat.adminRights?.postMessages === true;
  if (chat.adminRights) return true;
  const banned = chat._ === "channel" ? chat.bannedRights : undefined;
  return ![banned, chat.defaultBannedRights].some((rights) => rights?.sendMessages);
}

async function slowModes(
  session: MtcuteSession,
  chats: readonly tl.TypeChat[],
): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  for (const chat of chats.slice(0, mostQuestions)) {
    if (chat._ !== "channel" || !chat.accessHash) continue;
    try {
      const channel = { _: "inputChannel", channelId: chat.id, accessHash: chat.accessHash } as const;
      const { fullChat } = await session.call({ _: "channels.getFullChannel", channel });
      if (fullChat._ === "channelFull" && fullChat.slowmodeSeconds)
        seconds.set(String(toggleChannelIdMark(chat.id)), fullChat.slowmodeSeconds);
    } catch (error) {
      // The list is usable without these figures; a flood wait is not provoked again.
      if (!refusalOf(error)) throw error;
      break;
    }
  }
  return seconds;
}
