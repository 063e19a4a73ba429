/** A refusal in VK's words. It comes with HTTP status 200, in an envelope. */
export class ApiError extends Error {
  readonly code: number;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: number, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }
}

/** VK's error texts; a colon and details may follow. */
export const errorNames: Readonly<Record<number, string>> = {
  1: "Unknown error occurred",
  3: "Unknown method passed",
  5: "User authorization failed",
  6: "Too many requests per second",
  7: "Permission to perform this action is denied",
  8: "Invalid request",
  9: "Flood control",
  10: "Internal server error",
  14: "Captcha needed",
  15: "Access denied",
  17: "Validation required",
  18: "User was deleted or banned",
  27: "Group authorization failed",
  28: "Application authorization failed",
  29: "Rate limit reached",
  100: "One of the parameters specified was missing or invalid",
  113: "Invalid user id",
  118: "Invalid server",
  121: "Invalid hash",
  125: "Invalid group id",
  129: "Invalid photo",
  203: "Access to group denied",
  210: "Access to wall's post denied",
  214: "Access to adding post denied",
  219: "Advertisement post was recently added",
  220: "Too many recipients",
  222: "Hyperlinks are forbidden",
  224: "Too many ads posts",
  1051: "Method is not available for this profile type",
  3300: "Recaptcha needed",
  3609: "Token extension required",
};

export function refuse(code: number, particulars?: string): ApiError {
  const name = errorNames[code] ?? "Unknown error occurred";
  return new ApiError(code, particulars === undefined ? name : `${name}: ${particulars}`);
}
