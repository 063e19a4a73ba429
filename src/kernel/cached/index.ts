import type { Clock } from "../clock/index.ts";

/**
 * Calls `work` at most once per `forMs`: callers during a run, or within `forMs` after it, get the same result.
 * A failure goes to every caller that waits for it and is not cached.
 */
export function cached<T>(
  work: () => Promise<T>,
  { forMs, clock }: { forMs: number; clock: Clock },
): () => Promise<T> {
  let kept: { readonly value: T; readonly at: number } | undefined;
  let running: Promise<T> | undefined;

  return async () => {
    const age = kept ? clock.now().getTime() - kept.at : Number.NaN;
    // A clock that was set back must not keep a value for longer.
    if (kept && age >= 0 && age < forMs) return kept.value;
    running ??= work()
      .then((value) => {
        kept = { value, at: clock.now().getTime() };
        return value;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}
