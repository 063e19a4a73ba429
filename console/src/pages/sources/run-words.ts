import type { Run, Source } from "./shapes.ts";
import type { ru } from "./texts.ru.ts";

/** What a run brought, in a few words. */
export function broughtWords({ stats, finished_at }: Run, texts: typeof ru): string {
  const { brought } = texts;
  if (stats.error) return brought.failed;
  if (stats.interrupted || stats.abandoned) return brought.interrupted;
  if (finished_at === null) return texts.running;
  const { accepted = 0, seen = 0, payload_rejected = 0, dedup_dropped = 0 } = stats;
  const parts = [
    accepted > 0 && brought.posts(accepted),
    seen > 0 && brought.seen(seen),
    payload_rejected > 0 && brought.refused(payload_rejected),
    dedup_dropped > 0 && brought.repeated(dedup_dropped),
  ].filter((words) => words !== false);
  return parts.length > 0 ? parts.join(", ") : brought.nothing;
}

/** Why a source was not read: our words for the kind of error, the server's for the details. */
export function failureWords({ code, message }: { code: string; message: string }, texts: typeof ru): string {
  const known: Readonly<Record<string, string>> = texts.codes;
  return known[code] ? `${known[code]}: ${message}` : message;
}

export function stateOf({ enabled, last_error }: Source): "on" | "off" | "failing" {
  if (!enabled) return "off";
  return last_error ? "failing" : "on";
}
