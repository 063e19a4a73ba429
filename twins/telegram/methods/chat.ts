import { chatOf, checkPosting, checkPresence, hasRight, isAdministrator, memberOf } from "../access.ts";
import { badRequest } from "../api-error.ts";
import type { Deps, Method, MethodCall } from "../call.ts";
import type { Chat } from "../model.ts";
import { integer, text } from "../params.ts";
import { chatView } from "../view.ts";
import { chatFor, memberFor, messageFor, userFor } from "../wire.ts";

export const getChat: Method = ({ bot, params }, { store }) => {
  const chat = chatOf(store, params);
  // A public chat is visible from outside.
  if (!chat.username || chat.type === "private") checkPresence(chat, bot);
  const pinned = chat.pinned === undefined ? undefined : store.messageIn(chat, chat.pinned);
  return {
    ...chatFor(chat),
    accent_color_id: 0,
    max_reaction_count: 11,
    accepted_gift_types: {},
    ...(chat.slowModeSeconds && { slow_mode_delay: chat.slowModeSeconds }),
    ...(pinned && { pinned_message: messageFor(bot, chat, pinned, store) }),
  };
};

export const getChatMember: Method = (call, { store }) => {
  const chat = shared(call, store);
  const id = integer(call.params, "user_id");
  if (id === undefined) throw badRequest("invalid user_id specified");
  const bot = store.botById(id);
  if (bot) return memberFor(bot, memberOf(chat, bot));
  if (!store.person(id)) throw badRequest("user not found");
  const wrote = chat.messages.some(({ author }) => "personId" in author && author.personId === id);
  return { status: wrote ? "member" : "left", user: userFor(store, id) };
};

export const getChatAdministrators: Method = (call, { store }) => {
  const chat = shared(call, store);
  if (chat.type === "private") throw badRequest("there are no administrators in the private chat");
  return chat.members.filter(isAdministrator).flatMap((member) => {
    const bot = store.botById(member.botId);
    return bot ? [memberFor(bot, member)] : [];
  });
};

const actions = new Set([
  "typing",
  "upload_photo",
  "record_video",
  "upload_video",
  "record_voice",
  "upload_voice",
  "upload_document",
  "choose_sticker",
  "find_location",
  "record_video_note",
  "upload_video_note",
]);

export const sendChatAction: Method = ({ bot, params }, { store, context }) => {
  if (!actions.has(text(params, "action"))) throw badRequest("wrong parameter action in request");
  const chat = chatOf(store, params);
  checkPosting(chat, bot, "text");
  context.bus.publish({ type: "typing", provider: "telegram", chatId: String(chat.id) });
  return true;
};

export const pinChatMessage: Method = ({ bot, params }, { store }) => {
  const chat = chatOf(store, params);
  const member = checkPresence(chat, bot);
  const right = chat.type === "channel" ? "can_edit_messages" : "can_pin_messages";
  if (chat.type !== "private" && !hasRight(member, right)) {
    throw badRequest("not enough rights to manage pinned messages in the chat");
  }
  const message = store.messageIn(chat, integer(params, "message_id") ?? 0);
  if (!message) throw badRequest("message to pin not found");
  chat.pinned = message.id;
  store.changed();
  return true;
};

export const leaveChat: Method = ({ bot, params }, { store, context }) => {
  const chat = chatOf(store, params);
  const member = checkPresence(chat, bot);
  if (chat.type === "private") throw badRequest("chat member status can't be changed in private chats");
  member.status = "left";
  store.changed();
  context.bus.publish({ type: "chat", provider: "telegram", chat: chatView(chat, store) });
  return true;
};

function shared({ bot, params }: MethodCall, store: Deps["store"]): Chat {
  const chat = chatOf(store, params);
  checkPresence(chat, bot);
  return chat;
}
