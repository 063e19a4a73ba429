/** A refusal in YooKassa's words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly parameter: string | undefined;

  constructor(status: number, code: string, message: string, parameter?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.parameter = parameter;
  }
}

export const refuse = {
  invalid: (message: string, parameter?: string) => new ApiError(400, "invalid_request", message, parameter),
  credentials: () => new ApiError(401, "invalid_credentials", words[401]),
  recurring: () =>
    new ApiError(
      403,
      "forbidden",
      "This store can't make recurring payments. Contact the YooMoney manager to learn more",
    ),
  missing: (what: string) => new ApiError(404, "not_found", `${what} doesn't exist or is not available`),
  type: () => new ApiError(415, "unsupported_media_type", "Content-Type must be application/json"),
  rate: () => new ApiError(429, "too_many_requests", words[429]),
};

const words = {
  401: "Error in shopId or secret key. Check their validity. You can reissue the key in the Merchant Profile",
  429: "Too many requests were sent within a short time",
} as const;

/** YooKassa's answer for a status that a fault script requests. */
export const usual: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ["invalid_request", "Request cannot be processed"],
  401: ["invalid_credentials", words[401]],
  403: ["forbidden", "Not enough rights to perform the operation"],
  404: ["not_found", "Payment doesn't exist or is not available"],
  429: ["too_many_requests", words[429]],
};

export const broken = ["internal_server_error", "Server internal error"] as const;
