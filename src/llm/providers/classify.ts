import { messageOf } from "../../kernel/errors/index.ts";
import type { FailureReason } from "../../kernel/outbound/index.ts";
import type { Failure, FailureClass } from "../failures.ts";
import { type RawError, readRawText } from "./raw.ts";
import type { Wire } from "./wire.ts";

const byStatus: Readonly<Record<number, FailureClass>> = {
  401: "unauthorised",
  402: "no_credits",
  403: "forbidden",
  404: "not_found",
  408: "timeout",
  413: "too_long",
  429: "rate_limited",
  503: "overloaded",
  504: "timeout",
  524: "timeout",
  529: "overloaded",
};

/** OpenRouter's `error_type` and OpenAI's `code`, where they are more specific than the status. */
const byType: Readonly<Record<string, FailureClass>> = {
  context_length_exceeded: "too_long",
  string_too_long: "too_long",
  max_tokens_exceeded: "bad_request",
  content_policy_violation: "forbidden",
  refusal: "forbidden",
  model_not_found: "not_found",
  insufficient_quota: "no_credits",
  rate_limit_exceeded: "rate_limited",
  provider_unavailable: "server",
  provider_overloaded: "overloaded",
};

const byReason: Readonly<Record<FailureReason, FailureClass>> = {
  timeout: "timeout",
  connect: "network",
  tls: "network",
  reset: "network",
  too_large: "malformed",
  refused: "not_configured",
  aborted: "aborted",
  protocol: "network",
};

/** Classifies a failure by what was sent and received; `thrown` is the SDK's error. */
export function failureFrom(wire: Wire, thrown: unknown, now: Date): Failure {
  const said = messageOf(thrown);
  if (wire.failure) return { class: byReason[wire.failure.reason], message: wire.failure.message };
  // Nothing was sent: the SDK itself refused the request.
  if (wire.status === undefined) return { class: "bad_request", message: said };
  const raw = readRawText(wire.body);
  if (wire.status >= 400) return refusalOf(wire.status, raw.error, wire, now);
  if (raw.error) return errorInBody(raw.error);
  if (raw.choices === 0)
    return { class: "empty", message: "the answer has no choices", httpStatus: wire.status };
  return { class: "malformed", message: said, httpStatus: wire.status };
}

/** An error inside an answer with status 200, which had already begun. */
export function errorInBody(error: RawError): Failure {
  const status = Number(error.code);
  return refusalOf(status >= 400 && status < 600 ? status : 502, error, {}, undefined);
}

function refusalOf(status: number, error: RawError | undefined, wire: Wire, now: Date | undefined): Failure {
  const type = error?.metadata?.error_type ?? (typeof error?.code === "string" ? error.code : "");
  const wait = now && retryAfterMs(wire.headers?.["retry-after-ms"], wire.headers?.["retry-after"], now);
  return {
    class: byType[type] ?? byStatus[status] ?? (status >= 500 ? "server" : "bad_request"),
    message: error?.message ?? `the provider answered ${status}`,
    httpStatus: status,
    ...(wait !== undefined && { retryAfterMs: wait }),
  };
}

/** Seconds, or a date; some providers send milliseconds in a header of their own. */
export function retryAfterMs(
  milliseconds: string | undefined,
  given: string | undefined,
  now: Date,
): number | undefined {
  if (milliseconds !== undefined && /^\d+(\.\d+)?$/.test(milliseconds))
    return Math.ceil(Number(milliseconds));
  if (given === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(given)) return Math.ceil(Number(given) * 1000);
  const until = Date.parse(given);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime());
}
