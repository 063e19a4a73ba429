import type { MediaFault, SendError } from "./contract.ts";

/** A post that this channel cannot accept as it is. Never retried. */
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

/** The post has a medium without an address. */
export function missingOrigin(index: number): SendError {
  return {
    category: "PERMANENT",
    scope: "delivery",
    code: "media_missing_origin",
    message: `media ${index + 1} has no source that can be read`,
    raw: { index },
  };
}

/** Converts a media error to a delivery error; `first` is the index of the request's first medium in the post. */
export function mediaError({ place, message, ...fault }: MediaFault, first = 0): SendError {
  const index = first + place;
  return { ...fault, scope: "delivery", message: `media ${index + 1} ${message}`, raw: { index } };
}
