import { isIn, memberOf } from "./access.ts";
import type { Account, Chat, Message } from "./model.ts";
import { accessHash } from "./store.ts";

export function wirePerson({ userId, name, username, phone, premium }: Account) {
  return { userId, name, ...(username !== undefined && { username }), phone, premium };
}

export function wireChat(chat: Chat, account: Account) {
  const role = memberOf(chat, account)?.role;
  return {
    id: chat.id,
    accessHash: accessHash(account.userId, chat.id),
    type: chat.type,
    title: chat.title,
    ...(chat.username !== undefined && { username: chat.username }),
    members:
      chat.members.filter(({ role }) => role === "member" || role === "admin").length + chat.extraMembers,
    slowModeSeconds: chat.slowModeSeconds,
    joined: isIn(chat, account),
    admin: role === "admin",
    canWrite: canWrite(chat, account),
  };
}

export function wireMessage(message: Message) {
  const { id, at, userId, text, fileId, albumId } = message;
  return {
    id,
    at,
    userId,
    text,
    photo: fileId !== undefined,
    ...(albumId !== undefined && { albumId }),
  };
}

function canWrite(chat: Chat, account: Account): boolean {
  const role = memberOf(chat, account)?.role;
  if (role === "admin") return true;
  if (role !== "member" || chat.type === "channel" || chat.restricted) return false;
  return !(chat.forbidden.includes("plain") && chat.forbidden.includes("media"));
}
