import type { AccountErrorCode, Outcome, SendError } from "../../platforms/index.ts";
import { isReason, type Reason } from "../reasons/task-reasons.ts";

/** The consequence of an outcome for the task, its account and its chat. */
export type Verdict =
  | { readonly kind: "completed"; readonly messageId: string; readonly url?: string }
  /** The account stops until a person switches it on. */
  | { readonly kind: "flood"; readonly seconds: number; readonly error: SendError }
  | { readonly kind: "stop"; readonly reason: Reason; readonly error: SendError }
  /** The account can no longer publish to this chat. */
  | { readonly kind: "close"; readonly reason: Reason; readonly error: SendError }
  /** The chat is in slow mode; no attempt is counted. */
  | { readonly kind: "slow"; readonly seconds: number; readonly error: SendError }
  | { readonly kind: "fail"; readonly reason: Reason; readonly error: SendError }
  | {
      readonly kind: "retry";
      readonly reason: Reason;
      readonly error: SendError;
      readonly notBeforeMs: number;
    };

const meanings: Readonly<Record<AccountErrorCode, Verdict["kind"] | "by_category">> = {
  flood_wait: "flood",
  slow_mode: "slow",
  peer_flood: "stop",
  account_banned: "stop",
  account_frozen: "stop",
  session_revoked: "stop",
  banned_in_chat: "close",
  no_rights: "close",
  join_required: "close",
  chat_unavailable: "close",
  chat_unknown: "close",
  payment_required: "close",
  content_refused: "fail",
  network: "by_category",
  telegram_error: "by_category",
};

export function verdictOn(outcome: Outcome, unknownFloodSeconds: number): Verdict {
  if (outcome.kind === "sent") {
    const { providerMessageId, url } = outcome;
    return { kind: "completed", messageId: providerMessageId, ...(url !== undefined && { url }) };
  }
  const { error } = outcome;
  const notBeforeMs = error.retryAfterMs ?? 0;
  // It is unknown whether the message arrived; a retry with the same ids makes no duplicate.
  if (outcome.kind === "unknown") return { kind: "retry", reason: "outcome_unknown", error, notBeforeMs };
  const reason = isReason(error.code) ? error.code : "telegram_error";
  const seconds =
    error.retryAfterMs === undefined ? unknownFloodSeconds : Math.ceil(error.retryAfterMs / 1000);
  switch (meaningOf(error)) {
    case "flood":
      return { kind: "flood", seconds, error };
    case "slow":
      return { kind: "slow", seconds, error };
    case "stop":
      return { kind: "stop", reason, error };
    case "close":
      return { kind: "close", reason, error };
    case "fail":
      return { kind: "fail", reason, error };
    default:
      return error.category === "TRANSIENT"
        ? { kind: "retry", reason, error, notBeforeMs }
        : { kind: "fail", reason, error };
  }
}

function meaningOf({ code }: SendError): Verdict["kind"] | "by_category" {
  return isKnown(code) ? meanings[code] : "by_category";
}

function isKnown(code: string): code is AccountErrorCode {
  return Object.hasOwn(meanings, code);
}
