import type { MarkedText } from "../../content/index.ts";
import type { MediaFile, Outcome, SendError } from "../contract.ts";

/**
 * What publishing needs from people's own Telegram accounts. Two drivers implement it: mtcute over MTProto, and the
 * twin over HTTP. A driver never decides about pace: it reports Telegram's answers.
 */
export interface AccountDriver {
  /** Opens the account with its stored session; Telegram is not contacted before the first call. */
  open(account: AccountRef): Promise<AccountClient>;
  readonly logins: AccountLogins;
  /** Deletes the stored session of the account; Telegram is not told. */
  forget(account: AccountRef): Promise<void>;
  close(): Promise<void>;
}

/** Which account, and how its owner's device appears to Telegram: the same at every connection. */
export interface AccountRef {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly device: DeviceParameters;
  /** `socks5://…`, `http://…` or `mtproxy://…`, with its password. */
  readonly proxy?: string;
}

export interface DeviceParameters {
  readonly deviceModel: string;
  readonly systemVersion: string;
  readonly appVersion: string;
  readonly langCode: string;
}

export interface AccountClient {
  /** Sends text, a photo with a caption, or an album. A repeat with the same `randomIds` creates no second message. */
  send(post: AccountPost, signal?: AbortSignal): Promise<Outcome>;
  /** Groups, supergroups and channels the account can write to. */
  chats(): Promise<Answer<readonly AccountChat[]>>;
  /** Joins by a `t.me` link; reports if the account is a member already. */
  join(link: string): Promise<Answer<JoinedChat>>;
  me(): Promise<Answer<AccountPerson>>;
  /** Ends the session at Telegram; the stored one is useless afterwards. */
  logOut(): Promise<Answer<void>>;
  close(): Promise<void>;
}

export interface AccountPost {
  readonly chatId: string;
  readonly text: MarkedText;
  readonly photos: readonly MediaFile[];
  /**
   * One per message that Telegram will create: one for a text or a photo, one per photo of an album. Signed 64-bit,
   * decimal.
   */
  readonly randomIds: readonly string[];
}

/** Either the result, or Telegram's refusal as a `SendError`. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: SendError };

export interface AccountChat {
  /** Marked id, such as -1001234567890, decimal. */
  readonly chatId: string;
  readonly title: string;
  readonly username?: string;
  readonly type: "group" | "supergroup" | "channel";
  readonly members?: number;
  readonly slowModeSeconds?: number;
}

export interface JoinedChat extends AccountChat {
  readonly alreadyMember: boolean;
}

export interface AccountPerson {
  readonly userId: string;
  readonly name: string;
  readonly username?: string;
  readonly phone?: string;
}

/**
 * Signing in, step by step. All state between two steps is in the driver's storage under the account's id, so the next
 * step may run in another process.
 */
export interface AccountLogins {
  sendCode(account: AccountRef, phone: string): Promise<Answer<SentCode | SignedIn>>;
  resendCode(account: AccountRef, phone: string, codeHash: string): Promise<Answer<SentCode>>;
  signIn(
    account: AccountRef,
    step: { phone: string; codeHash: string; code: string },
  ): Promise<Answer<SignedIn | PasswordNeeded>>;
  checkPassword(account: AccountRef, password: string): Promise<Answer<SignedIn>>;
  /** A link to show as a QR code; calling it again tells whether it was scanned. */
  qr(account: AccountRef): Promise<Answer<QrCode | SignedIn | PasswordNeeded>>;
  /** Imports a session made by mtcute, GramJS, Telethon or Pyrogram and asks Telegram whose it is. */
  importSession(account: AccountRef, session: string): Promise<Answer<SignedIn>>;
}

export interface SentCode {
  readonly step: "code";
  readonly codeHash: string;
  readonly sentTo: "app" | "sms" | "call" | "email" | "other";
  readonly length?: number;
}

export interface QrCode {
  readonly step: "qr";
  readonly url: string;
  readonly expiresAt: Date;
}

export interface PasswordNeeded {
  readonly step: "password";
  readonly hint?: string;
}

export interface SignedIn {
  readonly step: "signed_in";
  readonly person: AccountPerson;
}

/**
 * Codes of `SendError` that publishing acts upon. `scope`: `platform` is the whole account, `channel` the chat,
 * `delivery` this post; `retryAfterMs` is how long a flood wait or slow mode lasts.
 */
export const accountErrorCodes = [
  "flood_wait",
  "slow_mode",
  "peer_flood",
  "account_banned",
  "account_frozen",
  "session_revoked",
  "banned_in_chat",
  "no_rights",
  "join_required",
  "chat_unavailable",
  "chat_unknown",
  "payment_required",
  "content_refused",
  "network",
  "telegram_error",
] as const;

export type AccountErrorCode = (typeof accountErrorCodes)[number];

/** Errors of a sign-in step. */
export const loginErrorCodes = [
  "phone_invalid",
  "phone_banned",
  "phone_flood",
  "code_invalid",
  "code_expired",
  "password_invalid",
  "session_invalid",
  "login_restarted",
  "flood_wait",
  "network",
  "telegram_error",
] as const;

export type LoginErrorCode = (typeof loginErrorCodes)[number];
