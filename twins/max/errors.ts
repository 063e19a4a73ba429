/** A refusal in the provider's words; the body is `{code, message}` with this status. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  get body(): ErrorBody {
    return { code: this.code, message: this.message };
  }
}

export interface ErrorBody {
  code: string;
  message: string;
}

export const refuse = {
  token: () => new ApiError(401, "verify.token", "Invalid access_token"),
  payload: (message: string) => new ApiError(400, "proto.payload", message),
  notReady: () =>
    new ApiError(400, "attachment.not.ready", "Key: errors.process.attachment.file.not.processed"),
  denied: (message: string) => new ApiError(403, "chat.denied", message),
  suspended: () => new ApiError(403, "chat.denied", "error.dialog.suspended"),
  noChat: (chatId: number) => new ApiError(404, "chat.not.found", `Chat ${chatId} not found`),
  noDialog: (userId: number) => new ApiError(404, "dialog.not.found", `Dialog with user ${userId} not found`),
  notFound: (what: string) => new ApiError(404, "not.found", `${what} not found`),
  method: (message: string) => new ApiError(405, "method.not.allowed", message),
  rate: () => new ApiError(429, "too.many.requests", "Too many requests"),
};

/** The provider's body for a status that a fault script requests. */
export function bodyFor(status: number, description?: string): ErrorBody {
  const [code, message] = usual[status] ?? ["internal.error", "Internal error"];
  return { code, message: description ?? message };
}

const usual: Record<number, readonly [code: string, message: string]> = {
  400: ["proto.payload", "Invalid request"],
  401: ["verify.token", "Invalid access_token"],
  403: ["chat.denied", "error.dialog.suspended"],
  404: ["chat.not.found", "Chat not found"],
  405: ["method.not.allowed", "Method not allowed"],
  429: ["too.many.requests", "Too many requests"],
  500: ["internal.error", "Internal error"],
  503: ["service.unavailable", "Service is temporarily unavailable"],
};
