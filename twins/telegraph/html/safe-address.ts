import { parsedUrl } from "../../shared/parsed-url.ts";

const linkSchemes = new Set(["http:", "https:", "mailto:", "tel:", "tg:"]);

/** An address that a reader may follow; undefined if it could run code. */
export function safeLink(href: string | undefined): string | undefined {
  if (href === undefined) return undefined;
  if (href.startsWith("/") && !href.startsWith("//")) return `https://telegra.ph${href}`;
  return linkSchemes.has(parsedUrl(href)?.protocol ?? "") ? href : undefined;
}

/** A picture or a video on another site. Files of old uploads do not exist here. */
export function safeSource(src: string | undefined): string | undefined {
  return src !== undefined && /^https?:\/\//i.test(src) && parsedUrl(src) ? src : undefined;
}
