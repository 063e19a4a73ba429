import type { Recipient } from "./shapes.ts";

/** The shortest text that one of these channels takes. */
export function strictestOf(
  channels: readonly Recipient[],
): { readonly limit: number; readonly platform: string } | undefined {
  const [first] = [...channels].sort((a, b) => a.limits.text - b.limits.text);
  return first && { limit: first.limits.text, platform: first.platform };
}
