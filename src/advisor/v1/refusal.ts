/** Errors of `/v1`: the specified word as `code`, a more specific one as `reason`. */
const kinds = {
  bad_request: 400,
  unauthorized: 401,
  plan_required: 402,
  https_required: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  internal: 500,
  server_misconfigured: 500,
  llm_failed: 502,
  llm_not_configured: 503,
  llm_timeout: 504,
} as const;
export type RefusalCode = keyof typeof kinds;

export interface RefusalDetails {
  /** Added to the body. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly retryAfterSec?: number;
  /** For the log alone. */
  readonly cause?: unknown;
}

export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly reason: string;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, reason: string, message: string, details: RefusalDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = kinds[code];
    this.reason = reason;
    this.details = details;
  }

  body() {
    const { code, reason, message } = this;
    return { error: { code, reason, message, ...this.details.more } };
  }
}

export function badRequest(reason: string, message: string): Refusal {
  return new Refusal("bad_request", reason, message);
}
