import type { EventText, KnownAction } from "./events.ru.ts";

export const eventsEn: Record<KnownAction, EventText> = {
  enqueue: ["Queued for {channel}", "A post was queued"],
  validation_failed: ["The post does not fit {channel}", "The post did not pass the checks"],
  send_attempt: ["Sending to {channel}", "Sending"],
  sent: ["Delivered to {channel}", "Delivered"],
  retry_scheduled: ["Will send to {channel} again", "Will send again"],
  dedup_suppressed: ["{channel} already had it, not sent twice", "Duplicate not sent"],
  failed_permanent: ["Refused: not delivered to {channel}", "Refused: not delivered"],
  dead_letter: ["Out of attempts: {channel}", "Out of attempts"],
  channel_paused: ["Channel {channel} is paused", "A channel is paused"],
  channel_disabled: ["Channel {channel} is disabled", "A channel is disabled"],
  channel_enabled: ["Channel {channel} is enabled", "A channel is enabled"],
  message_tag_mismatch: [
    "The post came again with other tags: {channel}",
    "The post came again with other tags",
  ],
  sending_lease_expired: [
    "Sending to {channel} broke off, will check again",
    "Sending broke off, will check again",
  ],
  claimed_lease_expired: [
    "Sending to {channel} did not begin, back in the queue",
    "Sending did not begin, back in the queue",
  ],
  manual_requeue: ["An operator sends to {channel} again", "An operator sends it again"],
  auth_rotated: ["Access to {channel} was renewed", "Access to a platform was renewed"],
  ingress_rate_limited: [
    "Requests come too fast, one was refused: {channel}",
    "Requests come too fast, one was refused",
  ],
  ingress_payload_rejected: [
    "A request was too large and was refused: {channel}",
    "A request was too large and was refused",
  ],
  ingress_dedup_dropped: ["A repeated request was dropped: {channel}", "A repeated request was dropped"],
  outcome_unknown: [
    "Unknown whether it reached {channel}; will check",
    "Unknown whether it arrived; will check",
  ],
  reconciled_found: ["Checked: the post is in {channel}", "Checked: the post arrived"],
  reconciled_absent: ["Checked: the post is not in {channel}", "Checked: the post did not arrive"],
  cancelled: ["Sending to {channel} was cancelled", "Sending was cancelled"],
  held: ["Sending to {channel} is on hold", "Sending is on hold"],
  released: ["Sending to {channel} may go on", "Sending may go on"],
  stale_dropped: ["The post is out of date, not sent to {channel}", "The post is out of date, not sent"],
  channel_migrated: ["Channel {channel} moved to a new address", "A channel moved to a new address"],
  config_changed: ["The configuration was changed: {channel}", "The configuration was changed"],
  channel_changed: ["Settings of {channel} were changed", "Settings of a channel were changed"],
  endpoint_rotated: [
    "The secret of an endpoint was changed: {channel}",
    "The secret of an endpoint was changed",
  ],
  source_failed: ["A source cannot be read: {channel}", "A source cannot be read"],
  ingress_config_error: ["Ingest is set up wrongly: {channel}", "Ingest is set up wrongly"],
  silence_detected: ["{channel} has been silent for long", "No new posts for long"],
  bot_subscribed: ["The shop bot is subscribed to MAX: {channel}", "The shop bot is subscribed to MAX"],
  bot_error_spike: [
    "The shop bot fails to answer too often: {channel}",
    "The shop bot fails to answer too often",
  ],
  fallback_rate_high: ["The shop bot lacks rules: {channel}", "The shop bot lacks rules"],
  payload_read: [
    "An operator opened the source text of a post for {channel}",
    "An operator opened the source text of a post",
  ],
};
