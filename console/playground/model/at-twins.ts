/** Addresses that only the real providers answer, as the twins have them: a tap must not lead out of the demo. */
import { hashOf } from "../route.ts";
import { hrefOf } from "./href.ts";

/** Where a link leads from this page; undefined if it may not be followed. */
export function linkOf(address: string | undefined): string | undefined {
  const href = hrefOf(address);
  return href && (atTwins(href) ?? href);
}

/** Undefined for all other addresses, which are followed as they are. */
export function atTwins(href: string): string | undefined {
  const { hostname, pathname, search, hash, searchParams } = new URL(href);
  const [, site] = /^([a-z\d-]+)\.wordpress\.test$/.exec(hostname) ?? [];
  if (site !== undefined) return `/wordpress/${site}${pathname}${search}${hash}`;
  if (hostname === "t.me") return inTelegram(pathname, searchParams.get("start"));
  if (hostname === "vk.com" && /^\/wall-?\d+_\d+$/.test(pathname)) return `/vk${pathname}`;
  if (hostname === "www.pinterest.com" && /^\/pin\/\d+\/$/.test(pathname)) return `/pinterest${pathname}`;
  return undefined;
}

function inTelegram(path: string, start: string | null): string | undefined {
  const [, internal] = /^\/c\/(\d+)(\/\d+)*$/.exec(path) ?? [];
  if (internal !== undefined) return hashOf("telegram", `-100${internal}`);
  const [, name, message] = /^\/(\w{4,32})(\/\d+)?\/?$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  if (start !== null) return `#start/telegram/${name}/${encodeURIComponent(start)}`;
  // A post of a public channel. A bare name may be a bot that the twins do not have, such as BotFather.
  return message === undefined ? undefined : `#named/telegram/${name}`;
}
