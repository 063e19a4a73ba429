/** The twin's state; kept across restarts as one document. */
export interface World {
  accounts: Account[];
  sessions: Session[];
  chats: Chat[];
  files: StoredFile[];
  lastId: number;
}

/** A person with a Telegram account, signed in here or not. */
export interface Account {
  userId: number;
  phone: string;
  name: string;
  username?: string;
  /** The cloud password, when two-step verification is on. */
  password?: string;
  hint?: string;
  premium: boolean;
  /** `banned` and `deleted` can do nothing, `frozen` can only read. */
  state: "active" | "frozen" | "deleted" | "banned";
  /** A fixed code for demos; otherwise every login has its own. */
  fixedCode?: string;
  /** Where codes are sent, first to last; a repeated request uses the next one. */
  codeTypes: CodeType[];
  contacts: number[];
  limits: AccountLimits;
  /** Current waits of this account, by method. */
  floods: Record<string, Flood>;
  /** Until when writing to strangers is forbidden. */
  peerFloodUntil?: number;
  /** When a method was called, oldest first, within its quota's period. */
  calls: Record<string, number[]>;
  /** Strangers it wrote to, and when for the first time. */
  strangers: Record<string, number>;
  codesSent: number[];
  wrongCodes: number[];
  wrongPasswords: number[];
  /** Random ids of sent messages, with the resulting message. */
  sent: Record<string, SentMark>;
}

export interface AccountLimits {
  /** Messages in a minute before a flood wait. */
  sendsPerMinute: number;
  joinsPerHour: number;
  resolvesPerDay: number;
  /** Different strangers in a day before PEER_FLOOD. */
  strangersPerDay: number;
  /** How long the first flood wait lasts; each further one is twice as long. */
  floodSeconds: number;
}

export interface Flood {
  until: number;
  seconds: number;
}

export interface SentMark {
  chatId: number;
  messageId: number;
  at: number;
}

export type CodeType = "app" | "sms" | "call";

/** An authorisation key: 256 bytes that identify a device. */
export interface Session {
  /** base64url. */
  key: string;
  device: Device;
  userId?: number;
  /** The connection that uses the key now, and those that used it before. */
  client?: string;
  formerClients: string[];
  /** Why the key is no longer valid. */
  dead?: "AUTH_KEY_DUPLICATED" | "SESSION_REVOKED" | "AUTH_KEY_UNREGISTERED" | "SESSION_EXPIRED";
  code?: PendingCode;
  /** The person whose password is expected. */
  passwordOf?: number;
  loginToken?: LoginToken;
}

export interface Device {
  deviceModel: string;
  systemVersion: string;
  appVersion: string;
  langCode: string;
}

export interface PendingCode {
  phone: string;
  hash: string;
  code: string;
  type: CodeType;
  sentAt: number;
}

export interface LoginToken {
  token: string;
  expiresAt: number;
  acceptedBy?: number;
}

export interface Chat {
  /** Marked: -100… for supergroups and channels, negative for groups, positive for people. */
  id: number;
  type: "group" | "supergroup" | "channel" | "private";
  title: string;
  username?: string;
  /** The part after `t.me/+`. */
  invite?: string;
  inviteExpired: boolean;
  /** Joining is a request that an administrator approves. */
  joinByRequest: boolean;
  extraMembers: number;
  members: Member[];
  slowModeSeconds: number;
  /** Content that ordinary members may not send. */
  forbidden: Content[];
  /** A discussion group that accepts messages from its members only. */
  joinToSend: boolean;
  topicClosed: boolean;
  restricted: boolean;
  /** The price of a message in Stars. */
  paidStars: number;
  gone: boolean;
  nextMessageId: number;
  messages: Message[];
  /** The account that owns this dialog, for the service chat and chats with people. */
  ownerId?: number;
}

export const contents = ["plain", "media", "photos"] as const;
export type Content = (typeof contents)[number];

export interface Member {
  userId: number;
  /** `muted` may read and gets an error when it writes; `banned` does not even see the chat. */
  role: "member" | "admin" | "muted" | "banned" | "left" | "requested";
  lastSentAt?: number;
}

export interface Message {
  id: number;
  at: number;
  /** 0 is Telegram itself. */
  userId: number;
  text: string;
  entities: Entity[];
  fileId?: string;
  albumId?: string;
}

export interface Entity {
  type: EntityType;
  offset: number;
  length: number;
  url?: string;
  language?: string;
}

export const entityTypes = [
  "bold",
  "italic",
  "underline",
  "strikethrough",
  "spoiler",
  "code",
  "pre",
  "text_link",
  "text_mention",
  "custom_emoji",
  "blockquote",
  "expandable_blockquote",
] as const;
export type EntityType = (typeof entityTypes)[number];

export interface StoredFile {
  id: string;
  userId: number;
  blobPath: string;
  size: number;
  width: number;
  height: number;
}
