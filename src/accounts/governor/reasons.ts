export type ReasonCode =
  | "flood_wait"
  | "breaker_open"
  | "breaker_trial"
  | "slow_mode"
  | "daily_ceiling"
  | "gap"
  | "similar_text";
