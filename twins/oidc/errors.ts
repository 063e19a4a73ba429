import type { Answer, StatusFault } from "../shared/index.ts";

/** A refusal of the token endpoint (RFC 6749, section 5.2). */
export class TokenError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export function answerOf(error: unknown): Answer {
  if (!(error instanceof TokenError)) throw error;
  return {
    status: error.status,
    body: { error: error.code, error_description: error.message },
    headers: {
      "cache-control": "no-store",
      ...(error.status === 401 && { "www-authenticate": 'Basic realm="oidc"' }),
    },
  };
}

export function scripted({ status, description, retryAfter }: StatusFault): Answer {
  return {
    status,
    body: {
      error: status === 503 ? "temporarily_unavailable" : "server_error",
      error_description: description ?? "The provider has a fault.",
    },
    headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
  };
}
