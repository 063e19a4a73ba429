/** A refusal in Pinterest's words: an HTTP status and `{code, message}` with a number of its own. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const rateMessage =
  "This request exceeded a rate limit. This can happen if the client exceeds one of the published rate limits within a short time window.";

export const refuse = {
  invalid: (what: string) => new ApiError(400, 1, `Invalid request: ${what}`),
  url: () =>
    new ApiError(
      400,
      1,
      "Whoops! It looks like you entered an invalid URL. Try creating a Pin again with a valid URL.",
    ),
  fetch: () => new ApiError(400, 235, "Sorry we could not fetch the image."),
  image: () => new ApiError(400, 236, "Sorry, the image is not in a format that we support."),
  authentication: () => new ApiError(401, 2, "Authentication failed."),
  scopes: () =>
    new ApiError(
      401,
      3,
      "Your token does not have sufficient permissions to perform this operation. Please ensure your token is authorized with the correct set of scopes.",
    ),
  forbidden: () => new ApiError(403, 29, "You are not permitted to access that resource."),
  trial: () =>
    new ApiError(
      403,
      29,
      "Apps with Trial access may not create Pins in production https://api.pinterest.com - use API Sandbox https://api-sandbox.pinterest.com instead.",
    ),
  noBoard: () => new ApiError(404, 40, "Board not found."),
  noPin: () => new ApiError(404, 50, "Pin not found."),
  rate: () => new ApiError(429, 8, rateMessage),
};

/** Pinterest's answer for a status that a fault script requests. */
export const usual: Readonly<Record<number, readonly [code: number, message: string]>> = {
  400: [1, "Invalid request."],
  401: [2, "Authentication failed."],
  403: [29, "You are not permitted to access that resource."],
  404: [50, "Pin not found."],
  429: [8, rateMessage],
};
