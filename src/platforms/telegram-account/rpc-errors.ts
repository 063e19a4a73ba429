import type { SendError } from "../contract.ts";
import type { AccountErrorCode, LoginErrorCode } from "./contract.ts";

/** Telegram's refusal, with the parameter taken out of the text, as client libraries do. */
export interface RpcRefusal {
  readonly code: number;
  readonly text: string;
  readonly seconds?: number;
}

/** `text` is matched as a whole. The first match decides. */
interface Meaning<C> {
  readonly text: RegExp;
  readonly code: C;
  readonly category: SendError["category"];
  readonly scope: SendError["scope"];
}

const account = { category: "PERMANENT", scope: "platform" } as const;
const chat = { category: "PERMANENT", scope: "channel" } as const;
const post = { category: "PERMANENT", scope: "delivery" } as const;
const later = { category: "TRANSIENT", scope: "platform" } as const;

const waits = /^(FLOOD_WAIT|FLOOD_PREMIUM_WAIT|FLOOD_TEST_PHONE_WAIT|2FA_CONFIRM_WAIT|TAKEOUT_INIT_DELAY)_/;

const meanings: readonly Meaning<AccountErrorCode>[] = [
  { text: waits, code: "flood_wait", ...later },
  { text: /^SLOWMODE_WAIT_/, code: "slow_mode", category: "TRANSIENT", scope: "channel" },
  { text: /^(PEER_FLOOD|USER_RESTRICTED|SPAM_BLOCKED)$/, code: "peer_flood", ...account },
  { text: /^(USER_DEACTIVATED|USER_DEACTIVATED_BAN)$/, code: "account_banned", ...account },
  { text: /^FROZEN_/, code: "account_frozen", ...account },
  {
    text: /^(AUTH_KEY_\w+|SESSION_(REVOKED|EXPIRED|PASSWORD_NEEDED)|CONNECTION_NOT_INITED)$/,
    code: "session_revoked",
    ...account,
  },
  { text: /^(USER_BANNED_IN_CHANNEL|CHANNEL_BANNED|USER_KICKED)$/, code: "banned_in_chat", ...chat },
  {
    text: /^(CHAT_GUEST_SEND_FORBIDDEN|USER_NOT_PARTICIPANT|INVITE_REQUEST_SENT)$/,
    code: "join_required",
    ...chat,
  },
  { text: /^CHAT_SEND_\w+_FORBIDDEN$/, code: "content_refused", ...post },
  {
    text: /^(CHAT_(WRITE_FORBIDDEN|ADMIN_REQUIRED|RESTRICTED|FORBIDDEN)|TOPIC_CLOSED|RIGHT_FORBIDDEN|\w*PRIVACY_RESTRICTED|PREMIUM_ACCOUNT_REQUIRED|SEND_AS_PEER_INVALID)$/,
    code: "no_rights",
    ...chat,
  },
  { text: /^ALLOW_PAYMENT_REQUIRED/, code: "payment_required", ...chat },
  {
    text: /^(CHANNEL_PRIVATE|CHANNEL_INVALID|YOU_BLOCKED_USER|USER_IS_BLOCKED|INPUT_USER_DEACTIVATED|TOPIC_DELETED)$/,
    code: "chat_unavailable",
    ...chat,
  },
  {
    text: /^(PEER_ID_INVALID|CHAT_ID_INVALID|USERNAME_(NOT_OCCUPIED|INVALID)|INVITE_HASH_\w+|INVITE_SLUG_\w+)$/,
    code: "chat_unknown",
    ...chat,
  },
  {
    text: /^(MESSAGE|MEDIA|MULTI_MEDIA|GROUPED_MEDIA|PHOTO|IMAGE|ENTITY|ENTITIES|FILE|WEBPAGE|WEBDOCUMENT|BUTTON|REPLY|QUOTE|RANDOM_ID)_\w+$/,
    code: "content_refused",
    ...post,
  },
];

const loginMeanings: readonly Meaning<LoginErrorCode>[] = [
  { text: waits, code: "flood_wait", ...later },
  { text: /^PHONE_NUMBER_(INVALID|UNOCCUPIED|APP_SIGNUP_FORBIDDEN)$/, code: "phone_invalid", ...post },
  { text: /^(PHONE_NUMBER_BANNED|USER_DEACTIVATED|USER_DEACTIVATED_BAN)$/, code: "phone_banned", ...account },
  {
    text: /^(PHONE_NUMBER_FLOOD|PHONE_PASSWORD_FLOOD|SEND_CODE_UNAVAILABLE|API_ID_PUBLISHED_FLOOD)$/,
    code: "phone_flood",
    ...later,
  },
  { text: /^(PHONE_CODE_INVALID|PHONE_CODE_EMPTY)$/, code: "code_invalid", ...post },
  { text: /^(PHONE_CODE_EXPIRED|PHONE_CODE_HASH_EMPTY)$/, code: "code_expired", ...post },
  { text: /^(PASSWORD_HASH_INVALID|PASSWORD_EMPTY|SRP_\w+)$/, code: "password_invalid", ...post },
  { text: /^(AUTH_RESTART\w*|AUTH_TOKEN_\w+|SIGN_IN_FAILED)$/, code: "login_restarted", ...later },
  { text: /^(AUTH_KEY_\w+|SESSION_\w+|AUTH_BYTES_INVALID)$/, code: "session_invalid", ...account },
];

export function sendErrorOf(refusal: RpcRefusal): SendError {
  return read(refusal, meanings);
}

export function loginErrorOf(refusal: RpcRefusal): SendError {
  return read(refusal, loginMeanings);
}

function read(refusal: RpcRefusal, table: readonly Meaning<string>[]): SendError {
  const { code, text, seconds } = refusal;
  const meaning = table.find((each) => each.text.test(text)) ?? usual(code);
  const waitSeconds = seconds ?? secondsIn(text);
  return {
    category: meaning.category,
    scope: meaning.scope,
    code: meaning.code,
    message: spoken(text, waitSeconds),
    ...(waitSeconds !== undefined && { retryAfterMs: waitSeconds * 1000 }),
    raw: { code, text, ...(waitSeconds !== undefined && { seconds: waitSeconds }) },
  };
}

/** Errors that are not in the table: Telegram's internal errors are temporary, its refusals are permanent. */
function usual(code: number): Omit<Meaning<"telegram_error">, "text"> {
  const passes = code >= 500 || code < 0 || code === 303;
  return { code: "telegram_error", ...(passes ? later : post) };
}

/** A wait that the client library does not know, with its number still in the text. */
function secondsIn(text: string): number | undefined {
  const found = /_WAIT_(\d+)$/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

const spoken = (text: string, seconds: number | undefined) =>
  text.replace("%d", seconds === undefined ? "?" : String(seconds));

/** There was no answer; the caller decides whether Telegram received the request. */
export function networkError(message: string): SendError {
  return { category: "TRANSIENT", scope: "platform", code: "network", message };
}
