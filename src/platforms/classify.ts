import type { HttpAnswer, HttpFailure } from "../kernel/outbound/index.ts";
import type { Outcome, SendError } from "./contract.ts";

type Verdict = Pick<SendError, "category" | "scope" | "code"> & { readonly retryAfterMs?: number };

/** One row of a platform's error table: which refusals it matches, and what they mean. */
export interface ErrorRule {
  readonly status?: number;
  /** The provider's own code, exactly. */
  readonly providerCode?: string;
  /** Matched against the provider's error text. */
  readonly text?: RegExp;
  readonly verdict: Verdict;
}

/** A refusal as the provider returned it. */
export interface Refusal {
  readonly status: number;
  readonly providerCode?: string;
  readonly description: string;
  readonly retryAfterMs?: number;
  readonly raw: unknown;
}

/** The rules of the specification for every platform; a platform's own rules are checked first. */
const baseline: readonly {
  readonly statuses: readonly [from: number, to: number];
  readonly verdict: Verdict;
}[] = [
  { statuses: [401, 401], verdict: { category: "PERMANENT", scope: "channel", code: "unauthorized" } },
  { statuses: [403, 404], verdict: { category: "PERMANENT", scope: "channel", code: "channel_unavailable" } },
  {
    statuses: [408, 408],
    verdict: { category: "TRANSIENT", scope: "platform", code: "upstream_unavailable" },
  },
  { statuses: [429, 429], verdict: { category: "TRANSIENT", scope: "platform", code: "rate_limited" } },
  { statuses: [400, 499], verdict: { category: "PERMANENT", scope: "delivery", code: "bad_request" } },
  {
    statuses: [500, 599],
    verdict: { category: "TRANSIENT", scope: "platform", code: "upstream_unavailable" },
  },
];

const unexpected: Verdict = { category: "TRANSIENT", scope: "platform", code: "unexpected_status" };

/** What a refusal means for the delivery, its channel and the platform. */
export function classify(refusal: Refusal, rules: readonly ErrorRule[]): SendError {
  const verdict =
    rules.find((rule) => fits(rule, refusal))?.verdict ??
    baseline.find(({ statuses: [from, to] }) => refusal.status >= from && refusal.status <= to)?.verdict ??
    unexpected;
  const retryAfterMs = refusal.retryAfterMs ?? verdict.retryAfterMs;
  return {
    category: verdict.category,
    scope: verdict.scope,
    code: verdict.code,
    message: refusal.description,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    raw: refusal.raw,
  };
}

function fits(rule: ErrorRule, refusal: Refusal): boolean {
  if (rule.status !== undefined && rule.status !== refusal.status) return false;
  if (rule.providerCode !== undefined && rule.providerCode !== refusal.providerCode) return false;
  return rule.text === undefined || rule.text.test(refusal.description);
}

/**
 * There was no answer. It is a failure only if the request certainly never reached the server; otherwise the outcome is
 * unknown.
 */
export function withoutAnswer(failure: HttpFailure): Exclude<Outcome, { kind: "sent" }> {
  return {
    kind: failure.mayHaveArrived ? "unknown" : "failed",
    error: {
      category: "TRANSIENT",
      scope: "platform",
      code: failure.mayHaveArrived ? "outcome_unknown" : "upstream_unreachable",
      message: failure.message,
      raw: { reason: failure.reason, mayHaveArrived: failure.mayHaveArrived },
    },
  };
}

/** The provider reported success in a format we cannot read: the message has probably arrived. */
export function unreadable(answer: HttpAnswer): Exclude<Outcome, { kind: "sent" }> {
  return {
    kind: "unknown",
    error: {
      category: "TRANSIENT",
      scope: "platform",
      code: "outcome_unknown",
      message: `status ${answer.status} came with an answer that cannot be read`,
      raw: { status: answer.status, body: textOf(answer) },
    },
  };
}

const longestRawText = 2_000;

export function textOf(answer: HttpAnswer): string {
  return new TextDecoder().decode(answer.body.subarray(0, longestRawText));
}

/** The answer's JSON, or undefined if it is not JSON. */
export function jsonOf(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(answer.body));
  } catch {
    // Not a bug: the caller decides what an answer without JSON means.
    return undefined;
  }
}

/** The longest wait that the provider named: a wait must never be shortened. */
export function longestWaitMs(seconds: readonly (number | undefined)[]): number | undefined {
  const named = seconds.filter((value) => value !== undefined && Number.isFinite(value) && value >= 0);
  return named.length === 0 ? undefined : Math.ceil(Math.max(...named.map(Number)) * 1000);
}

/** Seconds in a `Retry-After` header, which may also be a date. */
export function retryAfterHeader(answer: HttpAnswer, now: Date): number | undefined {
  const value = answer.headers["retry-after"];
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now.getTime()) / 1000);
}

/** Seconds in a sentence such as "retry after 14". */
export function retryAfterText(text: string): number | undefined {
  const found = /retry after (\d+(?:\.\d+)?)/i.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
