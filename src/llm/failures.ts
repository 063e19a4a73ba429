/** The kinds of failure of a call, and how each is handled. */

export type FailureClass = keyof typeof failureRules;

interface Rule {
  /** How many times the same model is retried. */
  readonly again: number;
  /** Whether the next model is asked. */
  readonly next: boolean;
  /** Whether it counts as a failure of the provider, or excludes the provider from the rest of this call. */
  readonly provider?: "blamed" | "useless";
  /** The error for callers if nothing helped. */
  readonly code: LlmErrorCode;
}

export const failureRules = {
  rate_limited: { again: 1, next: true, code: "rate_limited" },
  overloaded: { again: 1, next: true, provider: "blamed", code: "unavailable" },
  server: { again: 1, next: true, provider: "blamed", code: "unavailable" },
  network: { again: 1, next: true, provider: "blamed", code: "unavailable" },
  // A model that was too slow once will be too slow again, so another model is asked.
  timeout: { again: 0, next: true, provider: "blamed", code: "timeout" },
  malformed: { again: 1, next: true, provider: "blamed", code: "unavailable" },
  // Models that were just started may return an empty answer the first time.
  empty: { again: 1, next: true, code: "empty_answer" },
  refused: { again: 0, next: true, code: "refused" },
  invalid_answer: { again: 0, next: true, code: "invalid_answer" },
  no_credits: { again: 0, next: true, provider: "useless", code: "no_credits" },
  unauthorised: { again: 0, next: true, provider: "useless", code: "not_configured" },
  not_configured: { again: 0, next: true, provider: "useless", code: "not_configured" },
  circuit_open: { again: 0, next: true, code: "unavailable" },
  forbidden: { again: 0, next: true, code: "refused" },
  not_found: { again: 0, next: true, code: "unavailable" },
  too_long: { again: 0, next: true, code: "invalid_input" },
  bad_request: { again: 0, next: true, code: "invalid_input" },
  aborted: { again: 0, next: false, code: "aborted" },
} as const satisfies Record<string, Rule>;

/** The codes that callers handle. */
export const llmErrors = {
  policy_missing: "The workspace has no policy of this name.",
  policy_disabled: "The policy is switched off.",
  prompt_missing: "The workspace has no prompt of this name.",
  variable_missing: "The prompt needs a variable that was not given; the message names it.",
  not_configured: "The provider has no key, or refuses the one it has.",
  budget_exceeded: "A cap would be passed; `budget` says which, and when it opens again.",
  in_progress: "The same request is being answered right now.",
  already_answered: "The same request was answered before; its answer is not kept here.",
  rate_limited: "The provider asks for patience; `retryAfterMs` says how much.",
  no_credits: "The provider's account is empty.",
  timeout: "No complete answer within the policy's time.",
  unavailable: "The provider failed, or does not answer.",
  refused: "The provider or the model declined this question.",
  invalid_input: "The provider cannot take this question: too long, or of a kind the model does not know.",
  invalid_answer: "No model gave an answer of the shape that was asked for.",
  empty_answer: "The model said nothing.",
  aborted: "The caller called it off.",
} as const;
export type LlmErrorCode = keyof typeof llmErrors;

export interface LlmError {
  readonly code: LlmErrorCode;
  /** For operators; without secrets. */
  readonly message: string;
  readonly provider?: string;
  readonly retryAfterMs?: number;
  readonly budget?: PassedCap;
}

/** The cap that the call would exceed. */
export interface PassedCap {
  readonly scope: "installation" | "workspace" | "user" | "policy";
  readonly subject: string;
  readonly period: "day" | "month";
  readonly unit: "usd" | "tokens" | "calls";
  readonly cap: number;
  readonly used: number;
  readonly ends_at: string;
  /** The cap is in dollars, and the price of the model is unknown. */
  readonly price_unknown: boolean;
}

/** One request without an answer. */
export interface Failure {
  readonly class: FailureClass;
  readonly message: string;
  readonly httpStatus?: number;
  readonly retryAfterMs?: number;
}

export function ruleOf(failure: Failure): Rule {
  return failureRules[failure.class];
}
