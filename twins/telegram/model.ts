import type { Stars, StarsContent } from "./stars/model.ts";
import type { Entity } from "./text/index.ts";

/** The twin's state, as it is written to disk. */
export interface TelegramState {
  readonly version: 1;
  readonly bots: Bot[];
  readonly chats: Chat[];
  readonly people: Person[];
  readonly files: StoredFile[];
  readonly callbacks: CallbackQuery[];
  /** Absent in states of older versions. */
  stars?: Stars;
  nextUpdateId: number;
  nextSerial: number;
}

export interface Bot {
  readonly id: number;
  readonly token: string;
  username: string;
  firstName: string;
  readsAllGroupMessages: boolean;
  commands: readonly { readonly command: string; readonly description: string }[];
  /** Kinds of updates it requested; the provider's default set if absent. */
  allowedUpdates?: readonly string[];
  webhook?: Webhook;
  /** Unconfirmed updates, oldest first. */
  updates: StoredUpdate[];
}

export interface Webhook {
  readonly url: string;
  readonly secret?: string;
  readonly maxConnections: number;
  lastErrorAt?: number;
  lastError?: string;
  /** Since when the receiver has answered only "gone". */
  goneSince?: number;
}

export interface StoredUpdate {
  readonly id: number;
  readonly at: number;
  readonly kind: string;
  /** Updates of one chat are delivered in order, one after another. */
  readonly chatId: number;
  readonly content: unknown;
}

export type ChatType = "private" | "group" | "supergroup" | "channel";

export interface Chat {
  readonly id: number;
  readonly type: ChatType;
  title: string;
  username?: string;
  firstName?: string;
  members: Member[];
  messages: Message[];
  nextMessageId: number;
  migratedTo?: number;
  deactivated?: boolean;
  slowModeSeconds?: number;
  pinned?: number;
  /** The topics of a supergroup that is a forum. */
  topics?: readonly number[];
}

export type MemberStatus = "creator" | "administrator" | "member" | "restricted" | "left" | "kicked";

/** A bot's membership in a chat. In a private chat "kicked" means that the person has blocked it. */
export interface Member {
  readonly botId: number;
  status: MemberStatus;
  /** Rights that are given or removed by name, such as `can_post_messages`. */
  rights: Readonly<Record<string, boolean>>;
}

export interface Person {
  readonly id: number;
  firstName: string;
  username?: string;
  languageCode?: string;
}

export type MediaKind = "photo" | "video" | "animation" | "audio" | "document" | "voice";

/** A file as the provider stores it, whichever bot uploaded it. */
export interface StoredFile {
  readonly uid: string;
  readonly kind: MediaKind;
  readonly blobId: string;
  readonly contentType: string;
  readonly size: number;
  readonly name?: string;
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
}

export interface Message {
  readonly id: number;
  /** Milliseconds, unlike in the API. */
  readonly at: number;
  editedAt?: number;
  readonly author: { readonly botId: number } | { readonly personId: number };
  /** The text, or the caption if there is media. */
  text: string;
  entities: readonly Entity[];
  media?: MessageMedia;
  readonly albumId?: string;
  readonly replyTo?: number;
  readonly topicId?: number;
  readonly forwardOf?: ForwardOrigin;
  keyboard?: Keyboard;
  captionAbove?: boolean;
  linkPreview?: LinkPreview;
  /** An invoice, or a payment that the message reports. */
  readonly stars?: StarsContent;
  readonly silent: boolean;
  readonly protected: boolean;
}

export interface MessageMedia {
  readonly fileUid: string;
  readonly spoiler: boolean;
}

export interface ForwardOrigin {
  readonly at: number;
  readonly chatId: number;
  readonly messageId: number;
  readonly author: string;
}

export interface LinkPreview {
  readonly is_disabled?: boolean;
  readonly url?: string;
  readonly show_above_text?: boolean;
  readonly prefer_small_media?: boolean;
  readonly prefer_large_media?: boolean;
}

export interface Button {
  readonly text: string;
  readonly url?: string;
  readonly callback_data?: string;
  readonly style?: string;
  readonly [field: string]: unknown;
}

/** Buttons under the message, or (not `inline`) in place of the person's keyboard. */
export interface Keyboard {
  readonly inline: boolean;
  readonly rows: readonly (readonly Button[])[];
}

export interface CallbackQuery {
  readonly id: string;
  readonly botId: number;
  readonly at: number;
  answer?: { readonly text?: string; readonly show_alert: boolean; readonly url?: string };
}

export function isBotAuthor(author: Message["author"]): author is { readonly botId: number } {
  return "botId" in author;
}
