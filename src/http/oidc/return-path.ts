import { parsedUrl } from "../../kernel/url/index.ts";

/** Only its host is compared: no real site may have this name (RFC 2606). */
const here = "http://console.invalid";

/** The path if it stays on this site, otherwise the start page: `//evil.example` and `/\evil.example` lead elsewhere. */
export function returnPath(given: string | undefined): string {
  const url = given?.startsWith("/") ? parsedUrl(given, here) : undefined;
  return url?.origin === here && !url.pathname.startsWith("//") ? url.pathname + url.search : "/";
}
