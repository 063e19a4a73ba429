/** A refusal in Telegraph's words. Its status is 200. */
export class ApiError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Whole seconds, at least one. */
export function floodWait(ms: number): ApiError {
  return new ApiError(`FLOOD_WAIT_${Math.max(1, Math.ceil(ms / 1000))}`);
}
