import { setTimeout as delay } from "node:timers/promises";

/** Looks often at first, and less often the longer it takes: what is waited for needs the processor more. */
const firstLookMs = 10;
const lastLookMs = 150;
const growth = 1.4;

/**
 * Polls until the value is accepted: by default, until there is one. Tests wait with this and with Vitest's `expect.poll`, never
 * for a fixed time. At the deadline it throws with the last value.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  isEnough: (seen: T) => boolean = isThere,
  { what = "what was waited for", within = 60_000 }: { what?: string; within?: number | undefined } = {},
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + within;
  for (let restMs = firstLookMs; ; restMs = Math.min(restMs * growth, lastLookMs)) {
    const seen = await look();
    if (isEnough(seen)) return seen as Exclude<T, undefined | false>;
    if (performance.now() > deadline)
      throw new Error(`not within ${within} ms: ${what}; last seen: ${JSON.stringify(seen)}`);
    await delay(restMs);
  }
}

/** `eventually` there is something, with a name for it. */
export function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  within?: number,
): Promise<Exclude<T, undefined | false>> {
  return eventually(look, isThere, { what, within });
}

function isThere(seen: unknown): boolean {
  return seen !== undefined && seen !== false;
}
