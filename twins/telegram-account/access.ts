import type { Deps } from "./call.ts";
import type { Account, Chat, Content, Member } from "./model.ts";
import { bad, forbidden, RpcError, wait } from "./rpc-error.ts";
import { accessHash } from "./store.ts";

/** The chat of a call, if the account knows it: a number alone is not enough. */
export function chatFor(
  account: Account,
  peer: { readonly id: number; readonly accessHash: string },
  { store }: Deps,
): Chat {
  const chat = store.chat(peer.id);
  if (!chat || peer.accessHash !== accessHash(account.userId, peer.id)) throw bad("PEER_ID_INVALID");
  if (chat.gone) throw bad("CHANNEL_PRIVATE");
  if (memberOf(chat, account)?.role === "banned") throw bad("CHANNEL_PRIVATE");
  return chat;
}

export function memberOf(chat: Chat, { userId }: Account): Member | undefined {
  return chat.members.find((member) => member.userId === userId);
}

export function isIn(chat: Chat, account: Account): boolean {
  const role = memberOf(chat, account)?.role;
  return role === "member" || role === "admin" || role === "muted" || chat.ownerId === account.userId;
}

/** Throws unless this account may send this kind of content here now. */
export function demandWrite(account: Account, chat: Chat, content: Content, { context }: Deps): void {
  // Nobody can answer Telegram's service chat.
  if (chat.ownerId !== undefined) throw forbidden("CHAT_WRITE_FORBIDDEN");
  if (chat.type === "private") return;
  const member = memberOf(chat, account);
  if (member?.role === "admin") return;
  if (chat.restricted) throw bad("CHAT_RESTRICTED");
  if (member?.role === "muted") throw bad("USER_BANNED_IN_CHANNEL");
  if (chat.type === "channel") throw forbidden(member ? "CHAT_WRITE_FORBIDDEN" : "CHAT_ADMIN_REQUIRED");
  if (member?.role !== "member") {
    // A private group is invisible from outside.
    if (chat.username === undefined) throw bad("CHANNEL_PRIVATE");
    throw forbidden(chat.joinToSend ? "CHAT_GUEST_SEND_FORBIDDEN" : "CHAT_WRITE_FORBIDDEN");
  }
  if (chat.topicClosed) throw bad("TOPIC_CLOSED");
  if (chat.paidStars > 0) throw new RpcError(403, `ALLOW_PAYMENT_REQUIRED_${chat.paidStars}`);
  demandContent(chat, content);
  demandSlowMode(chat, member, context.clock.now());
}

function demandContent({ forbidden: closed }: Chat, content: Content): void {
  if (closed.includes("plain") && closed.includes("media")) throw forbidden("CHAT_WRITE_FORBIDDEN");
  if (content === "plain" && closed.includes("plain")) throw forbidden("CHAT_SEND_PLAIN_FORBIDDEN");
  if (content !== "plain" && closed.includes("media")) throw forbidden("CHAT_SEND_MEDIA_FORBIDDEN");
  if (content === "photos" && closed.includes("photos")) throw forbidden("CHAT_SEND_PHOTOS_FORBIDDEN");
}

function demandSlowMode({ slowModeSeconds }: Chat, { lastSentAt }: Member, now: number): void {
  if (slowModeSeconds === 0 || lastSentAt === undefined) return;
  const freeAt = lastSentAt + slowModeSeconds * 1000;
  if (now < freeAt) throw wait("SLOWMODE_WAIT_%d", freeAt - now);
}
