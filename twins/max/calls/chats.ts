import { z } from "zod";
import { chatForBot, demandPermission, demandWrite, memberOf } from "../access.ts";
import { attachmentRequest } from "../content/attachment-request.ts";
import { attach } from "../content/attachments.ts";
import { refuse } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Chat, Member, User } from "../model.ts";
import { showChat } from "../post.ts";
import { int, read } from "../read.ts";
import type { Max } from "../twin.ts";
import { wireChat, wireMessage } from "../wire.ts";
import type { ApiCall, Reply } from "./routes.ts";

/** `GET /chats`: the bot's chats, in the order of their creation. */
export function listChats(max: Max, call: ApiCall): Reply {
  if (max.store.world.options.chat_list === false) throw refuse.notFound("Method");
  const { marker, count } = read(chatsQuery, call.query);
  const own = max.store.world.chats.filter((chat) => memberOf(chat, call.bot)?.status === "active");
  const next = marker + count;
  return {
    body: {
      chats: own.slice(marker, next).map((chat) => wireChat(max, chat, call.bot)),
      marker: next < own.length ? next : null,
    },
  };
}

/** `GET /chats/{chatId}` */
export function getChat(max: Max, call: ApiCall): Reply {
  const { chat } = placeOf(max, call);
  return { body: wireChat(max, chat, call.bot) };
}

/** `PATCH /chats/{chatId}` */
export async function editChat(max: Max, call: ApiCall): Promise<Reply> {
  const { chat, member } = placeOf(max, call);
  const patch = read(chatPatch, call.body);
  if (chat.type === "dialog") throw refuse.denied("A dialog cannot be changed");
  demandPermission(member, "change_chat_info");
  if (patch.pin) pin(max, chat, patch.pin);
  if (patch.icon) {
    const [icon] = await attach(max, [{ type: "image", payload: patch.icon }]);
    if (icon?.type === "image") chat.iconToken = icon.token;
  }
  if (typeof patch.description === "string") chat.description = patch.description || null;
  if (patch.title && patch.title !== chat.title) {
    chat.title = patch.title;
    max.updates.tellChat(chat, "chat_title_changed", {
      chat_id: chat.chat_id,
      user: call.bot.user,
      title: patch.title,
    });
  }
  max.store.changed();
  showChat(max, chat);
  return { body: wireChat(max, chat, call.bot) };
}

/** `POST /chats/{chatId}/actions` */
export function sendAction(max: Max, call: ApiCall): Reply {
  const place = placeOf(max, call);
  read(action, call.body);
  if (place.chat.suspended) throw refuse.suspended();
  max.context.bus.publish({ type: "typing", provider: "max", chatId: String(place.chat.chat_id) });
  return { body: { success: true } };
}

/** `GET /chats/{chatId}/pin` */
export function getPin(max: Max, call: ApiCall): Reply {
  const { chat } = placeOf(max, call);
  const pinned = chat.pinned === undefined ? undefined : max.store.message(chat.pinned);
  return { body: { message: pinned ? wireMessage(max, pinned) : null } };
}

/** `PUT /chats/{chatId}/pin` */
export function putPin(max: Max, call: ApiCall): Reply {
  const place = placeOf(max, call);
  const { message_id } = read(z.object({ message_id: z.string().min(1) }), call.body);
  demandPinning(place);
  pin(max, place.chat, message_id);
  return { body: { success: true } };
}

/** `DELETE /chats/{chatId}/pin` */
export function deletePin(max: Max, call: ApiCall): Reply {
  const place = placeOf(max, call);
  demandPinning(place);
  delete place.chat.pinned;
  max.store.changed();
  return { body: { success: true } };
}

/** `GET /chats/{chatId}/members/me` */
export function getOwnMembership(max: Max, call: ApiCall): Reply {
  const { chat, member } = placeOf(max, call);
  return { body: wireMember(chat, call.bot.user, member) };
}

/** `DELETE /chats/{chatId}/members/me` */
export function leaveChat(max: Max, call: ApiCall): Reply {
  const { chat, member } = placeOf(max, call);
  if (chat.type === "dialog") throw refuse.denied("A dialog cannot be left");
  member.status = "left";
  max.store.changed();
  showChat(max, chat);
  return { body: { success: true } };
}

/** `GET /chats/{chatId}/members` */
export function listMembers(max: Max, call: ApiCall): Reply {
  const { chat } = placeOf(max, call);
  const { user_ids, marker, count } = read(membersQuery, call.query);
  const all = membersOf(max, chat);
  if (user_ids) {
    return { body: { members: all.filter(({ user_id }) => user_ids.includes(String(user_id))) } };
  }
  const next = marker + count;
  return { body: { members: all.slice(marker, next), marker: next < all.length ? next : null } };
}

/** `GET /chats/{chatId}/members/admins` */
export function listAdmins(max: Max, call: ApiCall): Reply {
  const { chat, member } = placeOf(max, call);
  if (!member.is_admin) throw refuse.denied("Bot is not an administrator of the chat");
  return { body: { members: membersOf(max, chat).filter(({ is_admin }) => is_admin), marker: null } };
}

const action = z.object({
  action: z.enum(["typing_on", "sending_photo", "sending_video", "sending_audio", "sending_file"]),
});

const imageRequest = attachmentRequest.options[0].shape.payload;

const chatPatch = z.object({
  title: z.string().min(1).max(limits.chatTitle).nullish(),
  description: z.string().max(limits.chatDescription).nullish(),
  icon: imageRequest.nullish(),
  pin: z.string().min(1).nullish(),
  notify: z.boolean().nullish(),
});

const chatsQuery = z.object({
  marker: int.pipe(z.number().min(0)).default(0),
  count: int.pipe(z.number().min(1).max(100)).default(50),
});

const membersQuery = z.object({
  user_ids: z
    .string()
    .transform((ids) => ids.split(","))
    .optional(),
  marker: int.pipe(z.number().min(0)).default(0),
  count: int.pipe(z.number().min(1).max(limits.page.members)).default(20),
});

interface Place {
  chat: Chat;
  member: Member;
}

function placeOf({ store }: Max, { bot, params }: ApiCall): Place {
  const { success, data: chatId } = int.safeParse(params.chatId);
  // Looking up a chat by its public name was removed from the API.
  if (!success) throw refuse.notFound(`Chat ${params.chatId}`);
  return chatForBot(store, bot, chatId);
}

function demandPinning(place: Place): void {
  if (place.chat.type === "dialog") demandWrite(place);
  else demandPermission(place.member, "pin_message");
}

function pin({ store }: Max, chat: Chat, mid: string): void {
  const message = store.message(mid);
  if (!message || message.deleted || message.chat_id !== chat.chat_id)
    throw refuse.notFound(`Message ${mid}`);
  chat.pinned = mid;
  store.changed();
}

function membersOf({ store }: Max, chat: Chat) {
  const people = [...(chat.user ? [chat.user] : []), ...chat.people];
  return [
    ...chat.members
      .filter(({ status }) => status === "active")
      .flatMap((member) => {
        const user = store.botById(member.botId)?.user;
        return user ? wireMember(chat, user, member) : [];
      }),
    ...people.map((user) => wireMember(chat, user)),
  ];
}

function wireMember(chat: Chat, user: User, member?: Member) {
  const is_admin = member?.is_admin ?? false;
  return {
    ...user,
    last_access_time: user.last_activity_time,
    is_owner: false,
    is_admin,
    join_time: member?.join_time ?? chat.last_event_time,
    permissions: member && is_admin ? member.permissions : null,
  };
}
