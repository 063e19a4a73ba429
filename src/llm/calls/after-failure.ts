import { type Failure, ruleOf } from "../failures.ts";

/** What to do after a request that failed. */
export type NextStep =
  | { readonly kind: "again"; readonly waitMs: number }
  | { readonly kind: "next" }
  | { readonly kind: "stop" };

export const patience = {
  /** The longest wait within a call; a provider that asks for more is not asked until then. */
  longestWaitMs: 10_000,
  firstWaitMs: 500,
} as const;

export interface Situation {
  /** How many retries this model has had. */
  readonly again: number;
  /** Text has reached the caller, so no other answer may follow. */
  readonly committed: boolean;
  /** In [0, 1), so that many callers do not retry at the same moment. */
  readonly random: number;
}

export function afterFailure(failure: Failure, { again, committed, random }: Situation): NextStep {
  const rule = ruleOf(failure);
  if (committed) return { kind: "stop" };
  if (again < rule.again) {
    const own = patience.firstWaitMs * 2 ** again * (1 + random);
    const waitMs = Math.ceil(Math.max(own, failure.retryAfterMs ?? 0));
    if (waitMs <= patience.longestWaitMs) return { kind: "again", waitMs };
  }
  return rule.next ? { kind: "next" } : { kind: "stop" };
}
