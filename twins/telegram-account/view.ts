import type { ChatView, MarkView, MediaView, MessageView } from "../shared/index.ts";
import type { Chat, EntityType, Message } from "./model.ts";
import type { Store } from "./store.ts";

const kinds = { group: "group", supergroup: "group", channel: "channel", private: "dialog" } as const;

export function chatView(chat: Chat, store: Store): ChatView {
  const last = chat.messages.at(-1);
  return {
    provider: "telegram-account",
    id: String(chat.id),
    title: chat.title,
    kind: kinds[chat.type],
    ...(chat.username !== undefined && { username: chat.username }),
    writable: false,
    ...(last && { last: { text: `${authorOf(last, store)}: ${summary(last)}`, at: last.at } }),
    count: chat.messages.length,
  };
}

export function messageView(message: Message, store: Store): MessageView {
  return {
    id: String(message.id),
    at: message.at,
    author: { name: authorOf(message, store), bot: false, mine: false },
    text: message.text,
    marks: message.entities.flatMap(({ type, offset, length, url, language }): MarkView[] => [
      {
        type: markTypes[type],
        offset,
        length,
        ...(url !== undefined && { url }),
        ...(language !== undefined && { language }),
      },
    ]),
    media: mediaOf(message, store),
    ...(message.albumId !== undefined && { albumId: message.albumId }),
    buttons: [],
    edited: false,
    silent: false,
    protected: false,
  };
}

const markTypes: Readonly<Record<EntityType, MarkView["type"]>> = {
  bold: "bold",
  italic: "italic",
  underline: "underline",
  strikethrough: "strike",
  spoiler: "spoiler",
  code: "code",
  pre: "pre",
  text_link: "link",
  text_mention: "mention",
  custom_emoji: "custom_emoji",
  blockquote: "quote",
  expandable_blockquote: "expandable_quote",
};

function mediaOf({ fileId }: Message, store: Store): MediaView[] {
  const file = fileId === undefined ? undefined : store.file(fileId);
  if (!file) return [];
  const { blobPath, width, height, size } = file;
  return [{ kind: "photo", url: blobPath, width, height, size }];
}

function authorOf({ userId }: Message, store: Store): string {
  return userId === 0 ? "Telegram" : (store.account(userId)?.name ?? String(userId));
}

function summary({ text, fileId }: Message): string {
  const words = text.replace(/\s+/g, " ").slice(0, 200);
  return fileId === undefined ? words : `🖼 ${words}`.trim();
}
