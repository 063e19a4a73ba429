import type { Target } from "./shapes.ts";

/** Where a target's alerts go, as people would write it down. */
export function targetName({ kind, config, target_id }: Target): string {
  const where = { telegram: config.chat_id, webhook: config.url, email: config.to?.join(", ") }[kind];
  return where ?? target_id;
}
