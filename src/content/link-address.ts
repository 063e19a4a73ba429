import { parsedUrl } from "../kernel/url/index.ts";
import { cleanText } from "./clean-text.ts";
import type { Network } from "./document.ts";

/** Schemes that links may have. All others, such as `javascript:` and `data:`, are refused. */
const allowedSchemes = new Set(["http:", "https:", "mailto:", "tel:", "tg:", "max:"]);

export type LinkAddress =
  | { readonly kind: "link"; readonly url: string; readonly completed: boolean }
  | { readonly kind: "mention"; readonly network: Network; readonly userId: string }
  | { readonly kind: "refused" };

/** The target of a link in a text. */
export function linkAddress(href: string): LinkAddress {
  // Browsers and messengers ignore white space inside a scheme, so it is removed before the check.
  const address = cleanText(href).replace(/\s+/g, "");
  const mention = mentionIn(address);
  if (mention) return mention;
  if (/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(?:[/?#]|$)/u.test(address)) {
    return openable(`https://${address}`) ? link(`https://${address}`, true) : { kind: "refused" };
  }
  return openable(address) ? link(address, false) : { kind: "refused" };
}

/** Whether a button may have the address. */
export function isButtonAddress(url: string): boolean {
  return openable(url) && !/\s/.test(url) && cleanText(url) === url;
}

/** Whether media can be fetched from the address. */
export function isWebAddress(url: string): boolean {
  return openable(url) && /^https?:/i.test(url);
}

/** The scheme, such as `https:`, of an address that was checked before. */
export function schemeOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase() ?? "";
}

function openable(url: string): boolean {
  return allowedSchemes.has(parsedUrl(url)?.protocol ?? "");
}

function link(url: string, completed: boolean): LinkAddress {
  return { kind: "link", url, completed };
}

function mentionIn(address: string): LinkAddress | undefined {
  const telegram = /^tg:\/\/user\?id=(\d+)$/.exec(address)?.[1];
  if (telegram) return { kind: "mention", network: "telegram", userId: telegram };
  const max = /^max:\/\/user\/(-?\d+)$/.exec(address)?.[1];
  if (max) return { kind: "mention", network: "max", userId: max };
  return undefined;
}
