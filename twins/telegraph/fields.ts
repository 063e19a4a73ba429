import { parsedUrl } from "../shared/parsed-url.ts";
import { ApiError } from "./api-error.ts";
import { limits } from "./limits.ts";
import type { Params } from "./params.ts";
import { required } from "./params.ts";

export function shortNameOf(params: Params): string {
  const name = required(params.text("short_name"), "SHORT_NAME_REQUIRED");
  if (lengthOf(name) > limits.shortName) throw new ApiError("SHORT_NAME_TOO_LONG");
  return name;
}

export function titleOf(params: Params): string {
  const title = required(params.text("title"), "TITLE_REQUIRED").trim();
  if (lengthOf(title) > limits.title) throw new ApiError("TITLE_TOO_LONG");
  return title;
}

/** The author's name and address, if given; a blank value removes it. */
export function authorOf(params: Params): { authorName?: string; authorUrl?: string } {
  const authorName = params.text("author_name");
  const authorUrl = params.text("author_url");
  if (authorName !== undefined && lengthOf(authorName) > limits.authorName)
    throw new ApiError("AUTHOR_NAME_TOO_LONG");
  if (authorUrl !== undefined && authorUrl !== "" && !isLink(authorUrl))
    throw new ApiError("AUTHOR_URL_INVALID");
  return { ...(authorName !== undefined && { authorName }), ...(authorUrl !== undefined && { authorUrl }) };
}

const schemes = new Set(["http:", "https:", "tg:", "mailto:"]);

function isLink(text: string): boolean {
  return lengthOf(text) <= limits.authorUrl && schemes.has(parsedUrl(text)?.protocol ?? "");
}

function lengthOf(text: string): number {
  return [...text].length;
}
