/** What a file of channels may say of each, in the order in which it is written. */
export const identity = ["platform", "target_id"] as const;

export const writable = [
  "auth_ref",
  "title",
  "tags",
  "route_filter",
  "send_mode",
  "template_ref",
  "window_mode",
  "timezone",
  "posting_window",
  "rate_rps",
  "max_parallel",
  "rate_group",
  "dedup_ttl_hours",
  "catchup",
  "max_age_seconds",
  "on_stale",
  "silence_after_seconds",
  "unknown_policy",
  "pause_on_permanent_seconds",
  "disable_after_permanent_streak",
  "allow_duplicate",
  "settings",
] as const;

export const keys: readonly string[] = [...identity, ...writable];
