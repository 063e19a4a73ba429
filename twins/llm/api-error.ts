import type { Answer } from "../shared/index.ts";
import type { Brand } from "./brand.ts";

/** A refusal in the provider's words. */
export class ApiError extends Error {
  readonly status: number;
  /** OpenRouter's `error_type`, OpenAI's `code`. */
  readonly type: string;
  readonly more: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    type: string,
    message: string,
    given: { more?: Readonly<Record<string, unknown>>; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.more = given.more ?? {};
    this.headers = given.headers ?? {};
  }
}

export function refusal(brand: Brand, { status, type, message, more, headers }: ApiError): Answer {
  return { status, headers, body: { error: errorBody(brand, status, type, message, more) } };
}

export function errorBody(
  brand: Brand,
  status: number,
  type: string,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
) {
  return brand.router
    ? { code: status, message, metadata: { error_type: type }, ...more }
    : { message, type: openAiTypes[status] ?? "server_error", param: more.param ?? null, code: type };
}

const openAiTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  403: "invalid_request_error",
  404: "invalid_request_error",
  413: "invalid_request_error",
  402: "insufficient_quota",
  429: "requests",
};

/** What a scripted status means. */
export const scriptedErrors: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ["invalid_request", "Provider returned error"],
  401: ["authentication", "User not found."],
  402: [
    "payment_required",
    "This request requires more credits, or fewer max_tokens. You requested up to 400 tokens, but can only afford 12.",
  ],
  403: ["permission_denied", "The input was flagged by moderation."],
  404: ["not_found", "No endpoints found for this model."],
  408: ["timeout", "The request timed out."],
  413: ["payload_too_large", "The request is too large."],
  429: ["rate_limit_exceeded", "Rate limit exceeded"],
  500: ["server", "Internal Server Error"],
  502: ["provider_unavailable", "Provider returned error"],
  503: ["provider_overloaded", "No provider meets the routing requirements right now."],
  504: ["timeout", "The provider did not answer in time."],
  524: ["timeout", "A timeout occurred"],
  529: ["provider_overloaded", "Overloaded"],
};
