import { type EventAction, eventActions } from "../events.ts";

/** What a page may show, so that it knows when to ask again. */
export const topics = [
  "events",
  "deliveries",
  "messages",
  "corrections",
  "channels",
  "sources",
  "endpoints",
  "credentials",
  "limits",
  "templates",
  "alerts",
  "webhooks",
  "settings",
  "accounts",
  "bot",
  "advisor",
  "billing",
  "llm",
  "seo",
] as const;
export type Topic = (typeof topics)[number];

const post: readonly Topic[] = ["deliveries", "messages"];
const correction: readonly Topic[] = ["corrections", "deliveries", "messages"];
const account: readonly Topic[] = ["accounts"];
const bot: readonly Topic[] = ["bot"];
const money: readonly Topic[] = ["billing"];
const channel: readonly Topic[] = ["channels"];
const door: readonly Topic[] = ["endpoints"];

/** What an event changes, besides the trail itself. */
const byAction: Readonly<Record<EventAction, readonly Topic[]>> = {
  config_changed: [],
  enqueue: post,
  validation_failed: post,
  dedup_suppressed: post,
  message_tag_mismatch: ["messages"],
  send_attempt: post,
  sent: post,
  retry_scheduled: post,
  failed_permanent: post,
  dead_letter: post,
  outcome_unknown: post,
  reconciled_found: post,
  reconciled_absent: post,
  sending_lease_expired: post,
  claimed_lease_expired: post,
  stale_dropped: post,
  cancelled: post,
  held: post,
  released: post,
  rescheduled: post,
  manual_requeue: post,
  correction_queued: correction,
  correction_attempt: correction,
  corrected: correction,
  withdrawn: correction,
  correction_unknown: correction,
  correction_retry: correction,
  correction_failed: correction,
  correction_superseded: correction,
  correction_lease_expired: correction,
  post_replaced: correction,
  channel_paused: channel,
  channel_disabled: channel,
  channel_enabled: channel,
  channel_changed: channel,
  channel_migrated: channel,
  connection_failed: channel,
  connection_restored: channel,
  product_told: post,
  page_checked: post,
  page_check_retry: post,
  indexnow_told: post,
  indexnow_retry: post,
  auth_rotated: ["channels", "credentials"],
  silence_detected: channel,
  ingress_rate_limited: door,
  ingress_payload_rejected: door,
  ingress_dedup_dropped: door,
  ingress_config_error: door,
  endpoint_rotated: door,
  webhook_disabled: ["webhooks"],
  source_failed: ["sources"],
  bot_subscribed: bot,
  operator_missing: bot,
  operator_silent: bot,
  bot_send_failed: bot,
  bot_error_spike: bot,
  fallback_rate_high: bot,
  account_chat_joined: account,
  account_join_failed: account,
  account_join_flood: account,
  account_sent: account,
  account_postponed: account,
  account_retry: account,
  account_failed: account,
  account_stuck: account,
  account_cancelled: account,
  account_flood_wait: account,
  account_stopped: account,
  account_chat_closed: account,
  account_slowed: account,
  account_resting: account,
  account_trusted_again: account,
  account_reactivated: account,
  balance_adjusted: money,
  hold_returned: money,
  billing_discrepancy: money,
  payment_completed: money,
  payment_refused: money,
  payment_trouble: money,
  payment_failed: money,
  payment_refunded: money,
  subscription_changed: money,
  plan_ended: money,
  llm_no_credits: ["llm"],
  payload_read: [],
  people_read: [],
};

/** What `config_changed` is about: `meta.object`, or its first word. */
const byObject: Readonly<Record<string, Topic>> = {
  source: "sources",
  endpoint: "endpoints",
  credential: "credentials",
  limit: "limits",
  template: "templates",
  alert_target: "alerts",
  monitor_settings: "alerts",
  webhook: "webhooks",
  replayed_messages: "webhooks",
  workspace: "settings",
  account: "accounts",
  autopublish: "accounts",
  chat_list: "accounts",
  join_task: "accounts",
  published_object: "accounts",
  publication: "accounts",
  stuck_tasks: "accounts",
  bot: "bot",
  dialogue: "bot",
  dialogues: "bot",
  unanswered_questions: "bot",
  advisor: "advisor",
  billing: "billing",
  llm: "llm",
  seo: "seo",
};

/** The topics of an event; of an action that is not known, only the trail. */
export function topicsOf(action: string, object: string | null): readonly Topic[] {
  const known = isAction(action) ? byAction[action] : [];
  if (action !== "config_changed") return known;
  const [word = ""] = object?.split("_") ?? [];
  return [byObject[object ?? ""] ?? byObject[word] ?? "settings"];
}

function isAction(action: string): action is EventAction {
  return action in eventActions;
}
