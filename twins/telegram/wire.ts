import { isAdministrator } from "./access.ts";
import { fileIdFor, uniqueIdFor } from "./file-id.ts";
import { photoSides } from "./limits.ts";
import { type Bot, type Chat, isBotAuthor, type Member, type Message, type StoredFile } from "./model.ts";
import type { StarsContent } from "./stars/model.ts";
import type { Store } from "./store.ts";
import type { Entity } from "./text/index.ts";

type Json = Record<string, unknown>;

/** A message as one bot sees it; file ids work for this bot only. */
export function messageFor(bot: Bot, chat: Chat, message: Message, store: Store): Json {
  const replied = message.replyTo === undefined ? undefined : store.messageIn(chat, message.replyTo);
  return {
    ...bareMessage(bot, chat, message, store),
    ...(replied && { reply_to_message: bareMessage(bot, chat, replied, store) }),
  };
}

function bareMessage(bot: Bot, chat: Chat, message: Message, store: Store): Json {
  const file = message.media && store.file(message.media.fileUid);
  const entities = message.entities.flatMap((entity) => entityFor(entity, store));
  const caption = file !== undefined;
  return {
    message_id: message.id,
    ...authorOf(chat, message, store),
    chat: chatFor(chat),
    date: seconds(message.at),
    ...(message.topicId !== undefined && { message_thread_id: message.topicId, is_topic_message: true }),
    ...(message.editedAt !== undefined && { edit_date: seconds(message.editedAt) }),
    ...(message.forwardOf && { forward_origin: originFor(message.forwardOf, store) }),
    ...(message.albumId !== undefined && { media_group_id: message.albumId }),
    ...(message.protected && { has_protected_content: true }),
    ...(file && mediaFor(bot, file)),
    ...(message.media?.spoiler && { has_media_spoiler: true }),
    ...(message.captionAbove && { show_caption_above_media: true }),
    ...(message.text !== "" && { [caption ? "caption" : "text"]: message.text }),
    ...(entities.length > 0 && { [caption ? "caption_entities" : "entities"]: entities }),
    ...(message.stars && starsFor(message.stars)),
    ...(message.linkPreview && { link_preview_options: message.linkPreview }),
    ...(message.keyboard?.inline && { reply_markup: { inline_keyboard: message.keyboard.rows } }),
  };
}

function starsFor(content: StarsContent): Json {
  if (content.kind === "invoice") {
    const { title, description, startParameter: start_parameter, amount } = content.invoice;
    return { invoice: { title, description, start_parameter, currency: "XTR", total_amount: amount } };
  }
  const { kind, amount, payload, chargeId, until, isRecurring, isFirst } = content;
  return {
    [kind === "payment" ? "successful_payment" : "refunded_payment"]: {
      ...{ currency: "XTR", total_amount: amount, invoice_payload: payload },
      ...(until !== undefined && { subscription_expiration_date: seconds(until) }),
      ...(isRecurring && { is_recurring: true }),
      ...(isFirst && { is_first_recurring: true }),
      telegram_payment_charge_id: chargeId,
      ...(kind === "payment" && { provider_payment_charge_id: chargeId }),
    },
  };
}

function authorOf(chat: Chat, { author }: Message, store: Store): Json {
  if (chat.type === "channel") return { sender_chat: chatFor(chat) };
  if (!isBotAuthor(author)) return { from: userFor(store, author.personId) };
  const bot = store.botById(author.botId);
  return bot ? { from: botUser(bot) } : {};
}

function entityFor(entity: Entity, store: Store): Json[] {
  if (entity.type !== "text_mention") return [{ ...entity }];
  // The provider shows a mention only of people whom the bot knows.
  const person = store.person(entity.user?.id ?? 0);
  return person ? [{ ...entity, user: userFor(store, person.id) }] : [];
}

function originFor(origin: NonNullable<Message["forwardOf"]>, store: Store): Json {
  const chat = store.chatById(origin.chatId);
  const date = seconds(origin.at);
  if (chat?.type === "channel") {
    return { type: "channel", date, chat: chatFor(chat), message_id: origin.messageId };
  }
  return { type: "hidden_user", date, sender_user_name: origin.author };
}

export function chatFor(chat: Chat): Json {
  return {
    id: chat.id,
    type: chat.type,
    ...(chat.type === "private" ? { first_name: chat.firstName ?? chat.title } : { title: chat.title }),
    ...(chat.username && { username: chat.username }),
    ...(chat.topics && { is_forum: true }),
  };
}

export function botUser(bot: Bot): Json {
  return { id: bot.id, is_bot: true, first_name: bot.firstName, username: bot.username };
}

export function userFor(store: Store, id: number): Json {
  const person = store.person(id);
  return {
    id,
    is_bot: false,
    first_name: person?.firstName ?? "",
    ...(person?.username && { username: person.username }),
    language_code: person?.languageCode ?? "ru",
  };
}

/** The rights that the provider names in an administrator's entry. */
const administratorRights = [
  "can_manage_chat",
  "can_post_messages",
  "can_edit_messages",
  "can_delete_messages",
  "can_invite_users",
  "can_pin_messages",
];

export function memberFor(bot: Bot, member: Member | undefined): Json {
  const status = member?.status ?? "left";
  const rights = member?.rights ?? {};
  return {
    status,
    user: botUser(bot),
    ...(status === "restricted" && { is_member: true, until_date: 0 }),
    ...(status === "kicked" && { until_date: 0 }),
    ...(isAdministrator(member) && {
      can_be_edited: false,
      is_anonymous: false,
      ...Object.fromEntries(administratorRights.map((right) => [right, rights[right] !== false])),
    }),
    ...rights,
  };
}

function mediaFor(bot: Bot, file: StoredFile): Json {
  const common = {
    file_id: fileIdFor(bot, file),
    file_unique_id: uniqueIdFor(file),
    file_size: file.size,
  };
  const named = { ...(file.name && { file_name: file.name }), mime_type: file.contentType };
  const moving = { width: file.width ?? 0, height: file.height ?? 0, duration: file.duration ?? 0 };
  switch (file.kind) {
    case "photo":
      return { photo: photoSizes(bot, file) };
    case "video":
      return { video: { ...common, ...named, ...moving } };
    case "animation":
      // Old clients know animations as documents, so the provider sends both.
      return { animation: { ...common, ...named, ...moving }, document: { ...common, ...named } };
    case "audio":
      return { audio: { ...common, ...named, duration: file.duration ?? 0 } };
    case "voice":
      return { voice: { ...common, mime_type: file.contentType, duration: file.duration ?? 0 } };
    case "document":
      return { document: { ...common, ...named } };
  }
}

/** Copies from small to large. Only the description differs: each is served as the original. */
function photoSizes(bot: Bot, file: StoredFile): Json[] {
  const { width = 1, height = 1, size } = file;
  const longest = Math.max(width, height);
  const largest = Math.min(longest, photoSides.at(-1) ?? longest);
  const sides = [...photoSides.filter((side) => side < largest), largest];
  return sides.map((side, index) => {
    const scale = side / longest;
    const letter = String.fromCharCode("a".charCodeAt(0) + index);
    return {
      file_id: fileIdFor(bot, file, letter),
      file_unique_id: uniqueIdFor(file, letter),
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
      file_size: Math.max(1, Math.round(size * scale * scale)),
    };
  });
}

export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
