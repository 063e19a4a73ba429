import { parsedUrl } from "../../../kernel/url/index.ts";

/** The absolute address, if it is http or https. */
export function webAddress(text: string | undefined, base: string | undefined): string | undefined {
  const trimmed = text?.trim();
  const url = trimmed ? parsedUrl(trimmed, base) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : undefined;
}
