import { parsedUrl } from "../../kernel/url/index.ts";

/** Pages whose addresses people copy instead of the site's own. */
const pages = /\/(?:wp-admin|wp-json|wp-login\.php|index\.php)(?=\/|$)/i;

/**
 * Normalises a site's address: https unless another scheme is given, no trailing slash; undefined if it is not an
 * address.
 */
export function siteAddress(typed: string): string | undefined {
  const text = typed.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = parsedUrl(full);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  if (!/[.:]/.test(url.host) && url.hostname !== "localhost") return undefined;
  return `${url.origin}${pathOf(url)}`;
}

function pathOf({ pathname }: URL): string {
  const page = pages.exec(pathname)?.index ?? pathname.length;
  return pathname.slice(0, page).replace(/(?<!\/)\/+$/, "");
}

/** Host and path, which identify a site regardless of the scheme. */
export function siteName(address: string): string {
  const url = new URL(address);
  return `${url.host}${pathOf(url)}`;
}

/** The site of a channel's target; a number at the end distinguishes several channels of one site. */
export function targetSite(targetId: string): string | undefined {
  const address = siteAddress(targetId.replace(/#\d+$/, ""));
  return address && siteName(address);
}

const twinDomain = ".wordpress.test";

/** Where requests to a site go: reserved names, which nobody can own, lead to the twin. */
export function reachedAt(address: string, twinRoot: string | undefined): string {
  const { hostname, pathname } = new URL(address);
  if (!twinRoot || !hostname.endsWith(twinDomain)) return address;
  return `${twinRoot}/${hostname.slice(0, -twinDomain.length)}${pathname === "/" ? "" : pathname}`;
}
