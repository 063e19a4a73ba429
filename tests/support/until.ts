import { setTimeout as delay } from "node:timers/promises";

const lookEveryMs = 25;

/**
 * Polls until the value is accepted: by default, until there is one. Tests wait with this and with Vitest's `expect.poll`, never
 * for a fixed time. At the deadline it throws with the last value.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  isEnough: (seen: T) => boolean = isThere,
  { what = "what was waited for", within = 40_000 }: { what?: string; within?: number | undefined } = {},
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + within;
  for (;;) {
    const seen = await look();
    if (isEnough(seen)) return seen as Exclude<T, undefined | false>;
    if (performance.now() > deadline)
      throw new Error(`not within ${within} ms: ${what}; last seen: ${JSON.stringify(seen)}`);
    await delay(lookEveryMs);
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
