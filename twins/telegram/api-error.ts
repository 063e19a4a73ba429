import type { Answer } from "../shared/index.ts";

/** A refusal in the provider's words; it becomes the answer of the call. */
export class ApiError extends Error {
  readonly code: number;
  readonly parameters: Readonly<Record<string, number>> | undefined;

  constructor(code: number, description: string, parameters?: Readonly<Record<string, number>>) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export function badRequest(reason: string, parameters?: Readonly<Record<string, number>>): ApiError {
  return new ApiError(400, `Bad Request: ${reason}`, parameters);
}

export function forbidden(reason: string): ApiError {
  return new ApiError(403, `Forbidden: ${reason}`);
}

export function conflict(reason: string): ApiError {
  return new ApiError(409, `Conflict: ${reason}`);
}

export function tooManyRequests(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ApiError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

export const unauthorized = () => new ApiError(401, "Unauthorized");
export const invalidToken = () => new ApiError(401, "Unauthorized: invalid token specified");
export const notFound = () => new ApiError(404, "Not Found");
export const methodNotFound = () => new ApiError(404, "Not Found: method not found");
export const entityTooLarge = () => new ApiError(413, "Request Entity Too Large");

/** The envelope of a refusal, with its wait also in the header. */
export function refusal({ code, message, parameters }: ApiError): Answer {
  return {
    status: code,
    body: { ok: false, error_code: code, description: message, ...(parameters && { parameters }) },
    headers: parameters?.retry_after === undefined ? {} : { "retry-after": String(parameters.retry_after) },
  };
}

/** The provider's text for a status that a fault script requests without one. */
export const defaultDescriptions: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden: bot was blocked by the user",
  404: "Not Found",
  409: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
  413: "Request Entity Too Large",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
