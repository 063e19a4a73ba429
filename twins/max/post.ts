import type { Chat, Content, Linked, Message, User } from "./model.ts";
import type { Max } from "./twin.ts";
import { chatView, messageView } from "./views.ts";
import { wireMessage } from "./wire.ts";

export interface Post {
  readonly chat: Chat;
  readonly sender: User;
  readonly content: Content;
  readonly link?: Linked | undefined;
  readonly notify?: boolean;
  readonly linkPreview?: boolean;
}

/** Puts a message into a chat. Bots receive messages of people, not of bots. */
export function post(
  max: Max,
  { chat, sender, content, link, notify = true, linkPreview = true }: Post,
): Message {
  const { context, store, updates } = max;
  const seq = store.newSeq();
  const message: Message = {
    chat_id: chat.chat_id,
    sender: { ...sender },
    timestamp: context.clock.now(),
    body: { mid: midOf(chat.chat_id, seq), seq, ...content },
    notify,
    linkPreview,
    ...(link && { link }),
  };
  chat.last_event_time = message.timestamp;
  sender.last_activity_time = message.timestamp;
  store.addMessage(message);
  showMessage(max, message);
  if (!sender.is_bot) {
    updates.tellChat(chat, "message_created", { message: wireMessage(max, message), ...localeIn(chat) });
  }
  return message;
}

export interface Change {
  readonly content: Content;
  readonly link?: Linked | undefined;
}

export function change(max: Max, message: Message, { content, link }: Change): void {
  Object.assign(message.body, content);
  if (link) message.link = link;
  message.editedAt = max.context.clock.now();
  max.store.changed();
  showMessage(max, message);
}

export function remove(max: Max, message: Message): void {
  const { context, store } = max;
  message.deleted = true;
  const chat = store.chat(message.chat_id);
  if (chat?.pinned === message.body.mid) delete chat.pinned;
  store.changed();
  context.bus.publish({
    type: "removed",
    provider: "max",
    chatId: String(message.chat_id),
    messageId: message.body.mid,
  });
}

export function showChat({ context, store }: Max, chat: Chat): void {
  context.bus.publish({ type: "chat", provider: "max", chat: chatView(store, chat) });
}

/** The person's language is sent in dialogs only. */
export function localeIn(chat: Chat): { user_locale?: string } {
  return chat.type === "dialog" ? { user_locale: "ru" } : {};
}

function showMessage({ context, store }: Max, message: Message): void {
  context.bus.publish({
    type: "message",
    provider: "max",
    chatId: String(message.chat_id),
    message: messageView(store, message),
  });
}

/** The chat and the message's number in it, as two 64-bit numbers. */
function midOf(chatId: number, seq: number): string {
  const hex = (number: number) => BigInt.asUintN(64, BigInt(number)).toString(16).padStart(16, "0");
  return `mid.${hex(chatId)}${hex(seq)}`;
}
