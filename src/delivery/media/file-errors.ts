import type { MediaFault } from "../../platforms/index.ts";

/** Why a file cannot be provided; the sentence continues after "media 2". */
export type FileError = Omit<MediaFault, "place">;

export function isFileError(value: object): value is FileError {
  return "category" in value && "code" in value;
}

/** Permanent: there is neither a copy nor a source. */
export const gone = (message: string): FileError => permanent("media_missing_origin", message);
export const tooLarge = (message: string): FileError => permanent("media_too_large", message);
export const wrongKind = (message: string): FileError => permanent("media_wrong_kind", message);

/** It may be available later. */
export const unavailable = (message: string): FileError => {
  return { category: "TRANSIENT", code: "media_unavailable", message };
};

function permanent(code: string, message: string): FileError {
  return { category: "PERMANENT", code, message };
}
