import type { StoredBlob } from "../shared/index.ts";
import type { Button } from "./content/keyboard.ts";
import type { FormattedText } from "./content/text/index.ts";

/** The twin's state. Names of fields that are sent are the provider's. */
export interface World {
  bots: Bot[];
  chats: Chat[];
  messages: Message[];
  media: Media[];
  uploads: Upload[];
  callbacks: Callback[];
  notices: Notice[];
  options: MaxOptions;
  lastId: number;
  lastSeq: number;
}

export interface MaxOptions {
  /** How many sends after a video, audio or file upload are told to wait for processing. */
  not_ready_sends: number;
  /** How many of the next updates are sent twice, as the provider sometimes does. */
  duplicate_updates: number;
  /**
   * Whether `GET /chats` lists the bot's chats, as the official client expects; MAX itself stopped answering it in June
   * 2026.
   */
  chat_list: boolean;
}

export interface User {
  user_id: number;
  first_name: string;
  last_name?: string;
  username: string | null;
  is_bot: boolean;
  last_activity_time: number;
}

export interface Bot {
  user: User;
  token: string;
  description: string | null;
  commands: Command[];
  subscriptions: Subscription[];
  updates: QueuedUpdate[];
  nextMarker: number;
}

/** How fault scripts and the journal name a bot. */
export function nameOfBot({ user }: Bot): { bot: string; botId: string } {
  const botId = String(user.user_id);
  return { bot: user.username ?? botId, botId };
}

export interface Command {
  name: string;
  description?: string | null | undefined;
}

export interface Subscription {
  url: string;
  time: number;
  secret?: string;
  update_types?: UpdateType[];
  /** Since when no update was confirmed; absent if there is no failure. */
  failingSince?: number;
}

/** One update on its way to one webhook. */
export interface Notice {
  id: number;
  botId: number;
  url: string;
  update: Update;
  failures: number;
  dueAt: number;
}

export interface QueuedUpdate {
  marker: number;
  update: Update;
}

export const updateTypes = [
  "message_created",
  "message_edited",
  "message_removed",
  "message_callback",
  "bot_started",
  "bot_stopped",
  "bot_added",
  "bot_removed",
  "user_added",
  "user_removed",
  "chat_title_changed",
  "dialog_muted",
  "dialog_unmuted",
  "dialog_cleared",
  "dialog_removed",
  "comment_created",
  "comment_edited",
  "comment_removed",
] as const;

export type UpdateType = (typeof updateTypes)[number];

export interface Update {
  update_type: UpdateType;
  timestamp: number;
  [field: string]: unknown;
}

export const permissions = [
  "read_all_messages",
  "add_remove_members",
  "add_admins",
  "change_chat_info",
  "pin_message",
  "edit_link",
  "write",
  "edit",
  "delete",
  "can_call",
  "view_stats",
] as const;

export type Permission = (typeof permissions)[number];

export interface Chat {
  chat_id: number;
  type: "dialog" | "chat" | "channel";
  title: string | null;
  description: string | null;
  /** The public name, the last part of `https://max.ru/<link>`. */
  link?: string;
  iconToken?: string;
  /** The other side of a dialog. */
  user?: User;
  /** The user has stopped the bot. Dialogs only. */
  suspended: boolean;
  members: Member[];
  people: User[];
  pinned?: string;
  last_event_time: number;
}

/** A bot's membership in a chat; it is kept after the bot has left, because the provider tells why. */
export interface Member {
  botId: number;
  status: "active" | "removed" | "left";
  is_admin: boolean;
  permissions: Permission[];
  join_time: number;
}

export interface Message {
  chat_id: number;
  sender: User;
  timestamp: number;
  body: Body;
  link?: Linked;
  notify: boolean;
  linkPreview: boolean;
  editedAt?: number;
  /** Deleted messages are kept so that their buttons, still on a person's screen, can be tapped. */
  deleted?: boolean;
}

export interface Body extends Content {
  mid: string;
  seq: number;
}

export interface Content extends FormattedText {
  attachments: Attachment[];
}

export interface Linked {
  type: "reply" | "forward";
  sender: User;
  chat_id: number;
  body: Body;
}

export type MediaType = "image" | "video" | "audio" | "file";

export type Attachment =
  | { type: MediaType; token: string }
  | { type: "sticker"; code: string }
  | { type: "contact"; vcf_info: string | null; user: User | null; name: string | null }
  | { type: "location"; latitude: number; longitude: number }
  | { type: "share"; url: string }
  | { type: "inline_keyboard"; buttons: Button[][] };

/** An uploaded or fetched file; its token can be sent many times. */
export interface Media {
  id: number;
  token: string;
  type: MediaType;
  blob: StoredBlob;
  width?: number;
  height?: number;
  seconds?: number;
  notReadySends: number;
  /** Why processing failed; sends of it are refused with this key. */
  broken?: string;
}

/** An upload address for one file. */
export interface Upload {
  key: string;
  type: MediaType;
  /** Known before the bytes, for video and audio. */
  token?: string;
  used: boolean;
}

export interface Callback {
  id: string;
  botId: number;
  mid: string;
  answers: { notification?: string; edited: boolean }[];
}
