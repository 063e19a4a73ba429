import type { Rendering } from "./shapes.ts";

/** The field of a request that the platform counts; where a request has none of them, what readers see counts. */
const counted = ["text", "caption", "message", "description"] as const;

export function sentLength({ requests, messages }: Rendering, at: number): number {
  const body = requests[at]?.body ?? {};
  for (const field of counted) {
    const text = body[field];
    if (typeof text === "string") return text.length;
  }
  return messages[at]?.text.length ?? 0;
}
