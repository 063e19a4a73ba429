import type { MediaFault } from "../../platforms/index.ts";

/** Why a file cannot be lent; the sentence goes on after "media 2". */
export type Fault = Omit<MediaFault, "place">;

export function isFault(value: object): value is Fault {
  return "category" in value && "code" in value;
}

/** For good: there is neither a copy nor a source. */
export const gone = (message: string): Fault => permanent("media_missing_origin", message);
export const tooLarge = (message: string): Fault => permanent("media_too_large", message);
export const wrongKind = (message: string): Fault => permanent("media_wrong_kind", message);

/** It may be had another time. */
export const unavailable = (message: string): Fault => {
  return { category: "TRANSIENT", code: "media_unavailable", message };
};

function permanent(code: string, message: string): Fault {
  return { category: "PERMANENT", code, message };
}
