import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Compiled } from "../../platforms/index.ts";

export interface TurnRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly provider: string;
  readonly chat_id: string;
  readonly provider_message_id: string;
  readonly action:
    | "bot_engine_processed"
    | "bot_operator_relay"
    | "bot_flood_dropped"
    | "bot_operator_message";
  readonly result: "ok" | "error";
  readonly outcome: string;
  readonly message_text: string;
  readonly matched_rule_id: string | null;
  readonly rule_version: number | null;
  readonly state_before: string;
  readonly state_after: string;
  readonly response_preview: string | null;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** `state` is null for the operators' chat. */
export interface ChatRow {
  readonly workspace_id: string;
  readonly chat_id: string;
  readonly state: string | null;
  readonly context: unknown;
  readonly expires_at: Date | null;
  readonly tokens: number | null;
  readonly refilled_at: Date | null;
  readonly flooded: boolean;
  readonly user_id: string | null;
  readonly user_name: string | null;
  /** An operator was called with this message. */
  readonly called: boolean;
}

export interface ReplyRow {
  readonly workspace_id: string;
  readonly chat_id: string;
  readonly inbound: string;
  /** Idempotency key of the message. */
  readonly outbox_id: string;
  readonly kind: "reply" | "relay" | "handover" | "operator" | "notice";
  readonly text: string;
  /** Null if only a tap is acknowledged. */
  readonly compiled: Compiled | null;
  readonly callback_id: string | null;
  readonly notification: string | null;
  readonly about_chat_id: string | null;
  readonly author: string | null;
  readonly trace_id: string;
}

type GivenReply = Pick<
  ReplyRow,
  "workspace_id" | "chat_id" | "inbound" | "kind" | "text" | "compiled" | "trace_id"
>;

export function newReply(given: GivenReply & Partial<ReplyRow>, now: Date): ReplyRow {
  return {
    outbox_id: uuidv7({ now: () => now }),
    callback_id: null,
    notification: null,
    about_chat_id: null,
    author: null,
    ...given,
  };
}
