import type { Outcome } from "../../platforms/index.ts";
import type { Noticed } from "./learn.ts";

/** What Telegram's answer means for the pace. A message that may have gone counts as one that has. */
export function noticedOf(outcome: Outcome): Noticed {
  if (outcome.kind !== "failed") return { kind: "sent" };
  const { code, retryAfterMs } = outcome.error;
  const seconds = retryAfterMs === undefined ? {} : { seconds: Math.ceil(retryAfterMs / 1000) };
  switch (code) {
    case "flood_wait":
    case "slow_mode":
      return { kind: code, ...seconds };
    case "peer_flood":
    case "account_frozen":
      return { kind: code };
    case "no_rights":
    case "banned_in_chat":
      return { kind: "write_forbidden" };
    default:
      return { kind: "other" };
  }
}
