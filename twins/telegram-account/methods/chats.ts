import { z } from "zod";
import { chatFor, isIn, memberOf } from "../access.ts";
import type { AuthorisedCall, Deps, Reply } from "../call.ts";
import type { Chat } from "../model.ts";
import { demandPace } from "../pace.ts";
import { peer, read } from "../read.ts";
import { bad } from "../rpc-error.ts";
import { demandThawed } from "../session.ts";
import { wireChat, wireMessage, wirePerson } from "../wire.ts";

const resolveParams = z.strictObject({ username: z.string() });
const joinParams = z.union([
  z.strictObject({ peer }),
  z.strictObject({ invite: z.string().regex(/^[\w-]{1,64}$/) }),
]);
const historyParams = z.strictObject({ peer, limit: z.int().min(1).max(100).default(20) });
/** Telegram's rule for usernames. */
const usernameShape = /^[a-z](?!.*__)\w{3,30}[a-z\d]$/i;

export function getMe({ account }: AuthorisedCall): Reply {
  return { body: wirePerson(account) };
}

/** Every chat of the account; it also gives the access to them. */
export function getDialogs({ account }: AuthorisedCall, { store }: Deps): Reply {
  const chats = store.world.chats.filter((chat) => isIn(chat, account) && !chat.gone);
  return { body: { chats: chats.map((chat) => wireChat(chat, account)) } };
}

/** Rate-limited: an account may resolve few names a day. */
export function resolveUsername({ account, params }: AuthorisedCall, deps: Deps): Reply {
  const { username } = read(resolveParams, params);
  if (!usernameShape.test(username)) throw bad("USERNAME_INVALID");
  demandPace(account, "resolve", deps);
  const chat = deps.store.chatByUsername(username);
  if (!chat || chat.gone) throw bad("USERNAME_NOT_OCCUPIED");
  return { body: wireChat(chat, account) };
}

export function joinChat({ account, params }: AuthorisedCall, deps: Deps): Reply {
  demandThawed(account);
  const asked = read(joinParams, params);
  const chat = "invite" in asked ? invitedTo(asked.invite, deps) : chatFor(account, asked.peer, deps);
  const member = memberOf(chat, account);
  if (member?.role === "banned") throw bad("invite" in asked ? "INVITE_HASH_EXPIRED" : "CHANNEL_PRIVATE");
  if (isIn(chat, account)) throw bad("USER_ALREADY_PARTICIPANT");
  demandPace(account, "join", deps);
  const role = chat.joinByRequest ? "requested" : "member";
  if (member) member.role = role;
  else chat.members.push({ userId: account.userId, role });
  deps.store.changed();
  if (role === "requested") throw bad("INVITE_REQUEST_SENT");
  return { body: wireChat(chat, account) };
}

/** The target of an invitation, without joining: a member learns its chat by it. */
export function checkInvite({ account, params }: AuthorisedCall, deps: Deps): Reply {
  const { invite } = read(z.strictObject({ invite: z.string() }), params);
  const chat = invitedTo(invite, deps);
  return { body: isIn(chat, account) ? wireChat(chat, account) : { title: chat.title, joined: false } };
}

/** The newest messages that this account wrote in the chat, newest first. */
export function getOwnMessages({ account, params }: AuthorisedCall, deps: Deps): Reply {
  const asked = read(historyParams, params);
  const chat = chatFor(account, asked.peer, deps);
  const own = chat.messages.filter(({ userId }) => userId === account.userId);
  return { body: { messages: own.slice(-asked.limit).reverse().map(wireMessage) } };
}

function invitedTo(hash: string, { store }: Deps): Chat {
  const chat = store.chatByInvite(hash);
  if (!chat) throw bad("INVITE_HASH_INVALID");
  if (chat.inviteExpired || chat.gone) throw bad("INVITE_HASH_EXPIRED");
  return chat;
}
