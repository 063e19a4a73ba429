import type { SendError } from "./contract.ts";

/** A post that this channel cannot carry as it is. Never retried. */
export function invalid(message: string, raw?: Readonly<Record<string, unknown>>): SendError {
  return {
    category: "PERMANENT",
    scope: "delivery",
    code: "validation_failed",
    message,
    ...(raw && { raw }),
  };
}

export function tooLong(
  what: string,
  { length, limit, unit = "UTF-16 units" }: { length: number; limit: number; unit?: string },
): SendError {
  return invalid(`${what} has ${length} ${unit}, at most ${limit} are accepted`, { length, limit });
}

/** The file behind a media reference is gone for good. */
export function missingOrigin(index: number): SendError {
  return {
    category: "PERMANENT",
    scope: "delivery",
    code: "media_missing_origin",
    message: `media ${index + 1} has no source that can be read`,
    raw: { index },
  };
}

export function mediaTooLarge(index: number, size: number, limit: number): SendError {
  return {
    category: "PERMANENT",
    scope: "delivery",
    code: "media_too_large",
    message: `media ${index + 1} has ${size} bytes, at most ${limit} are accepted`,
    raw: { index, size, limit },
  };
}

/** The file exists but could not be read this time. */
export function mediaUnavailable(index: number, cause: unknown): SendError {
  return {
    category: "TRANSIENT",
    scope: "delivery",
    code: "media_unavailable",
    message: `media ${index + 1} could not be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    raw: { index },
  };
}
