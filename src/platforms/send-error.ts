import type { MediaFault, SendError } from "./contract.ts";

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

/** The post names a medium without saying where it is. */
export function missingOrigin(index: number): SendError {
  return {
    category: "PERMANENT",
    scope: "delivery",
    code: "media_missing_origin",
    message: `media ${index + 1} has no source that can be read`,
    raw: { index },
  };
}

/** What a medium that could not be had means for its delivery; `first` is the place of the request's first medium in the post. */
export function mediaError({ place, message, ...fault }: MediaFault, first = 0): SendError {
  const index = first + place;
  return { ...fault, scope: "delivery", message: `media ${index + 1} ${message}`, raw: { index } };
}
