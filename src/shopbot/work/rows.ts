import type { Compiled } from "../../platforms/index.ts";

/** What shopbot.end_turns and shopbot.put_replies take. */

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

/** `state` is null where the chat keeps none: the operators' own. */
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
  /** A person was called with this message. */
  readonly called: boolean;
}

export interface ReplyRow {
  readonly workspace_id: string;
  readonly chat_id: string;
  readonly inbound: string;
  /** Goes with the message as its idempotency key. */
  readonly outbox_id: string;
  readonly kind: "reply" | "relay" | "handover" | "operator" | "notice";
  readonly text: string;
  /** Null where only the press of a button is answered. */
  readonly compiled: Compiled | null;
  readonly callback_id: string | null;
  readonly notification: string | null;
  readonly about_chat_id: string | null;
  readonly author: string | null;
  readonly trace_id: string;
}
