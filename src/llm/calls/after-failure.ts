import { type Failure, ruleOf } from "../failures.ts";

/** What to do after a request that failed. */
export type Decision =
  | { readonly kind: "again"; readonly waitMs: number }
  | { readonly kind: "next" }
  | { readonly kind: "stop" };

export const patience = {
  /** The longest wait that a call takes upon itself; a provider that asks for more is left to rest. */
  longestWaitMs: 10_000,
  firstWaitMs: 500,
} as const;

export interface Situation {
  /** How often this model was asked again before. */
  readonly again: number;
  /** Words have reached the caller already, so nothing else may follow them. */
  readonly committed: boolean;
  /** In [0, 1), so that many callers do not come back together. */
  readonly random: number;
}

export function afterFailure(failure: Failure, { again, committed, random }: Situation): Decision {
  const rule = ruleOf(failure);
  if (committed) return { kind: "stop" };
  if (again < rule.again) {
    const own = patience.firstWaitMs * 2 ** again * (1 + random);
    const waitMs = Math.ceil(Math.max(own, failure.retryAfterMs ?? 0));
    if (waitMs <= patience.longestWaitMs) return { kind: "again", waitMs };
  }
  return rule.next ? { kind: "next" } : { kind: "stop" };
}
