import type { TwinContext } from "../shared/index.ts";
import type { Attachment, Body, Bot, Chat, Message, User } from "./model.ts";
import type { Store } from "./store.ts";

/** What is needed to convert stored objects to the provider's format. */
export interface Wire {
  readonly store: Store;
  readonly context: Pick<TwinContext, "options">;
}

export function wireMessage(wire: Wire, message: Message): Record<string, unknown> {
  const chat = wire.store.chat(message.chat_id);
  const { link } = message;
  return {
    sender: message.sender,
    recipient: {
      chat_id: message.chat_id,
      chat_type: chat?.type ?? "chat",
      user_id: chat?.type === "dialog" ? otherSide(wire.store, chat, message.sender) : null,
    },
    timestamp: message.timestamp,
    ...(link && {
      link: {
        type: link.type,
        sender: link.sender,
        chat_id: link.chat_id,
        message: wireBody(wire, link.body),
      },
    }),
    body: wireBody(wire, message.body),
    ...(chat?.type === "channel" && { stat: { views: 0 }, url: postUrl(chat, message) }),
  };
}

function wireBody(wire: Wire, { mid, seq, text, attachments, markup }: Body): Record<string, unknown> {
  return {
    mid,
    seq,
    text: text || null,
    attachments: attachments.map((attachment) => wireAttachment(wire, attachment)),
    ...(markup.length > 0 && { markup }),
  };
}

function wireAttachment({ store, context }: Wire, attachment: Attachment): Record<string, unknown> {
  const { type } = attachment;
  switch (type) {
    case "sticker":
      return {
        type,
        payload: {
          code: attachment.code,
          url: `https://i.oneme.ru/sticker/${encodeURIComponent(attachment.code)}`,
        },
        width: 512,
        height: 512,
      };
    case "contact":
      return { type, payload: { vcf_info: attachment.vcf_info, max_info: attachment.user } };
    case "location":
      return { type, latitude: attachment.latitude, longitude: attachment.longitude };
    case "share":
      return { type, payload: { url: attachment.url } };
    case "inline_keyboard":
      return { type, payload: { buttons: attachment.buttons } };
  }
  const media = store.media(attachment.token, type);
  const url = media ? `${context.options.baseUrl}${media.blob.path}` : "";
  const payload = { token: attachment.token, url };
  switch (type) {
    case "image":
      return { type, payload: { photo_id: media?.id ?? 0, ...payload } };
    case "video":
      return { type, payload: { id: media?.id ?? 0, ...payload } };
    case "audio":
      return { type, payload };
    case "file":
      return { type, payload, filename: media?.blob.fileName ?? "file", size: media?.blob.size ?? 0 };
  }
}

export function wireChat(wire: Wire, chat: Chat, bot: Bot): Record<string, unknown> {
  const { store } = wire;
  const member = chat.members.find(({ botId }) => botId === bot.user.user_id);
  const pinned = chat.pinned === undefined ? undefined : store.message(chat.pinned);
  const icon = chat.iconToken === undefined ? undefined : store.media(chat.iconToken, "image");
  const isDialog = chat.type === "dialog";
  return {
    chat_id: chat.chat_id,
    type: chat.type,
    status: chat.suspended ? "suspended" : (member?.status ?? "removed"),
    title: isDialog ? null : chat.title,
    icon: icon ? { url: `${wire.context.options.baseUrl}${icon.blob.path}` } : null,
    last_event_time: chat.last_event_time,
    participants_count: isDialog ? 2 : participants(store, chat).length,
    is_public: chat.link !== undefined,
    link: chat.link === undefined ? null : `https://max.ru/${chat.link}`,
    description: chat.description,
    ...(isDialog && { dialog_with_user: chat.user }),
    ...(!isDialog && {
      messages_count: store.messagesOf(chat.chat_id).filter(({ deleted }) => !deleted).length,
    }),
    pinned_message: pinned && !pinned.deleted ? wireMessage(wire, pinned) : null,
  };
}

export function wireBot({ user, description, commands }: Bot): Record<string, unknown> {
  return { ...user, name: user.first_name, description, commands };
}

/** Bots and people who are in the chat now. */
export function participants(store: Store, chat: Chat): User[] {
  const bots = chat.members
    .filter(({ status }) => status === "active")
    .flatMap(({ botId }) => store.botById(botId)?.user ?? []);
  return [...bots, ...(chat.user ? [chat.user] : []), ...chat.people];
}

function otherSide(store: Store, chat: Chat, sender: User): number | null {
  return participants(store, chat).find(({ user_id }) => user_id !== sender.user_id)?.user_id ?? null;
}

function postUrl(chat: Chat, { body }: Message): string {
  const place = chat.link ?? `c/${chat.chat_id}`;
  return `https://max.ru/${place}/${body.seq.toString(36)}`;
}
