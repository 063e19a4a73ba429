import { z } from "zod";
import type { ButtonView, ChatView, MarkView, MediaView, MessageView } from "../shared/index.ts";
import { type Button, type Chat, isBotAuthor, type Message } from "./model.ts";
import { slugIn } from "./stars/invoice.ts";
import type { Store } from "./store.ts";
import { checkedLink, type Entity } from "./text/index.ts";

const provider = "telegram";

const kinds = { private: "dialog", group: "group", supergroup: "group", channel: "channel" } as const;

export function chatView(chat: Chat, store: Store): ChatView {
  const last = chat.messages.at(-1);
  const hasBot = chat.members.some((member) => member.status !== "left" && member.status !== "kicked");
  return {
    provider,
    id: String(chat.id),
    title: chat.title,
    kind: kinds[chat.type],
    ...(chat.username && { username: chat.username }),
    writable: chat.type !== "channel" && hasBot && chat.migratedTo === undefined,
    ...(last && { last: { text: snippet(last, store), at: last.at } }),
    count: chat.messages.length,
  };
}

export function messageView(chat: Chat, message: Message, store: Store): MessageView {
  const replied = message.replyTo === undefined ? undefined : store.messageIn(chat, message.replyTo);
  const previewed = previewedUrl(message);
  return {
    id: String(message.id),
    at: message.at,
    author: {
      name: authorName(chat, message, store),
      bot: isBotAuthor(message.author),
      mine: !isBotAuthor(message.author),
    },
    text: shownText(message),
    marks: message.entities.flatMap((entity) => markOf(entity, message.text)),
    media: mediaOf(message, store),
    ...(message.captionAbove && { captionAboveMedia: true }),
    ...(message.albumId !== undefined && { albumId: message.albumId }),
    buttons: isPaid(message) ? [] : (message.keyboard?.rows ?? []).map((row) => row.map(buttonView)),
    ...(message.keyboard && !message.keyboard.inline && { buttonsBelow: true }),
    ...(replied && {
      replyTo: {
        id: String(replied.id),
        author: authorName(chat, replied, store),
        text: snippet(replied, store),
      },
    }),
    ...(previewed && { linkPreview: { url: previewed } }),
    ...(message.topicId !== undefined && { topicId: String(message.topicId) }),
    edited: message.editedAt !== undefined,
    silent: message.silent,
    protected: message.protected,
  };
}

/** The text of a message; for an invoice and a payment, the text of the provider's app. */
function shownText({ text, stars }: Message): string {
  if (!stars) return text;
  if (stars.kind === "invoice")
    return `${stars.invoice.title}\n${stars.invoice.description}\n⭐️ ${stars.invoice.amount}${stars.paid ? " ✓" : ""}`;
  return stars.kind === "payment" ? `⭐️ −${stars.amount}` : `⭐️ +${stars.amount}`;
}

export function authorName(chat: Chat, { author }: Message, store: Store): string {
  if (chat.type === "channel") return chat.title;
  if (isBotAuthor(author)) return store.botById(author.botId)?.firstName ?? "";
  return store.person(author.personId)?.firstName ?? "";
}

const signs = { photo: "🖼", video: "🎬", animation: "🎞", audio: "🎵", voice: "🎤", document: "📄" } as const;

function snippet(message: Message, store: Store): string {
  const file = message.media && store.file(message.media.fileUid);
  const text = shownText(message).replace(/\s+/g, " ").slice(0, 200);
  return file ? `${signs[file.kind]} ${text || (file.name ?? "")}`.trim() : text;
}

const markTypes: Readonly<Record<Entity["type"], MarkView["type"] | undefined>> = {
  bold: "bold",
  italic: "italic",
  underline: "underline",
  strikethrough: "strike",
  spoiler: "spoiler",
  code: "code",
  pre: "pre",
  text_link: "link",
  url: "link",
  email: "link",
  text_mention: "mention",
  mention: "mention",
  hashtag: "hashtag",
  cashtag: "hashtag",
  bot_command: "command",
  blockquote: "quote",
  expandable_blockquote: "expandable_quote",
  custom_emoji: "custom_emoji",
  date_time: undefined,
};

function markOf(entity: Entity, text: string): MarkView[] {
  const type = markTypes[entity.type];
  if (!type) return [];
  const url = addressOf(entity, text.slice(entity.offset, entity.offset + entity.length));
  return [
    {
      type,
      offset: entity.offset,
      length: entity.length,
      ...(url !== undefined && { url }),
      ...(entity.language !== undefined && { language: entity.language }),
    },
  ];
}

function addressOf(entity: Entity, content: string): string | undefined {
  switch (entity.type) {
    case "text_link":
      return entity.url;
    case "url":
      return checkedLink(content);
    case "email":
      return `mailto:${content}`;
    case "mention":
      return `https://t.me/${content.slice(1)}`;
    default:
      return undefined;
  }
}

function mediaOf(message: Message, store: Store): MediaView[] {
  const file = message.media && store.file(message.media.fileUid);
  if (!file) return [];
  return [
    {
      kind: file.kind,
      url: `/_blobs/${file.blobId}`,
      ...(file.width && { width: file.width }),
      ...(file.height && { height: file.height }),
      ...(file.name && { name: file.name }),
      size: file.size,
      ...(message.media?.spoiler && { spoiler: true }),
    },
  ];
}

const isPaid = ({ stars }: Message) => stars?.kind === "invoice" && stars.paid;

const copyShape = z.object({ text: z.string() });
const styles = ["danger", "success", "primary"] as const;

function buttonView(button: Button): ButtonView {
  const style = styles.find((each) => each === button.style);
  const copied = copyShape.safeParse(button.copy_text);
  // The app opens an invoice by itself instead of its address.
  const url = slugIn(button.url) === undefined ? button.url : undefined;
  return {
    text: button.text,
    kind: url !== undefined ? "link" : button.callback_data !== undefined ? "callback" : "other",
    ...(url !== undefined && { url }),
    ...(copied.success && { copy: copied.data.text }),
    ...(style && { style }),
  };
}

/** The address of the preview under a text: the chosen one, else the first in the text. */
function previewedUrl({ text, entities, media, linkPreview }: Message): string | undefined {
  if (media || linkPreview?.is_disabled) return undefined;
  if (linkPreview?.url) return linkPreview.url;
  for (const entity of entities) {
    const url = addressOf(entity, text.slice(entity.offset, entity.offset + entity.length));
    const isLink = entity.type === "url" || entity.type === "text_link";
    if (isLink && url?.startsWith("http")) return url;
  }
  return undefined;
}
