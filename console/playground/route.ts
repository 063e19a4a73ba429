/** The open chat is the address: `#telegram/-1001234567890`. */
import { useMemo, useSyncExternalStore } from "react";
import type { BotAddress } from "./api.ts";
import { type ChatKey, keyOf } from "./model/state.ts";

export interface Route {
  readonly provider: string;
  readonly id: string;
  readonly key: ChatKey;
}

export function useRoute(): Route | undefined {
  return routeOf(useSyncExternalStore(subscribe, () => location.hash));
}

export function routeOf(hash: string): Route | undefined {
  const [, provider, id] = /^#([^/]+)\/(.+)$/.exec(hash) ?? [];
  if (provider === undefined || id === undefined || /^#(start|place|return|named)\//.test(hash))
    return undefined;
  return { provider: decoded(provider), id: decoded(id), key: keyOf(decoded(provider), decoded(id)) };
}

/** `#place/telegraph/1` opens a site, a wall or a board. */
export function placeRouteOf(hash: string): Route | undefined {
  return hash.startsWith(placePrefix) ? routeOf(`#${hash.slice(placePrefix.length)}`) : undefined;
}

export function placeHashOf(provider: string, id: string): string {
  return `${placePrefix}${hashOf(provider, id).slice(1)}`;
}

const placePrefix = "#place/";

export function usePlaceRoute(): Route | undefined {
  return useHash(placeRouteOf);
}

export function hashOf(provider: string, id: string): string {
  return `#${encodeURIComponent(provider)}/${encodeURIComponent(id)}`;
}

/** `#start/max/shop_bot` begins a dialogue, as a link to a bot does in the messenger; `/ref_5` after it is what the link carries. */
export function startOf(hash: string): BotAddress | undefined {
  const [, provider, name, payload] = /^#start\/(max|telegram)\/([^/]+)(?:\/(.+))?$/.exec(hash) ?? [];
  if (name === undefined) return undefined;
  return {
    ...{ provider: provider === "telegram" ? "telegram" : "max", name: decoded(name) },
    ...(payload !== undefined && { payload: decoded(payload) }),
  };
}

/** `#return/telegram/42/pinterest_auth_5` goes back to a talk with what a page elsewhere hands over. */
export function returnOf(hash: string): Returning | undefined {
  const [, id, payload] = /^#return\/telegram\/([^/]+)\/([\w-]{1,64})$/.exec(hash) ?? [];
  if (id === undefined || payload === undefined) return undefined;
  return { provider: "telegram", id: decoded(id), payload };
}

export interface Returning {
  readonly provider: "telegram";
  readonly id: string;
  readonly payload: string;
}

/** `#named/telegram/dva_lista_tea` opens the chat of this public name. */
export function nameOf(hash: string): { provider: string; username: string } | undefined {
  const [, provider, username] = /^#named\/([^/]+)\/([^/]+)$/.exec(hash) ?? [];
  return provider === undefined || username === undefined
    ? undefined
    : { provider: decoded(provider), username: decoded(username) };
}

export function useStart(): BotAddress | undefined {
  return useHash(startOf);
}

/** What the address says, anew only when it has changed. */
export function useHash<Read>(read: (hash: string) => Read): Read {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => read(hash), [hash, read]);
}

/** Replaces the address that led to the chat, so that Back does not begin it again. */
export function replaceRoute(provider: string, id: string): void {
  history.replaceState(null, "", hashOf(provider, id));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Leaves no bare `#`, and lets the browser's back button return to the chat. */
export function leaveChat(): void {
  history.pushState(null, "", location.pathname + location.search);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

function subscribe(changed: () => void): () => void {
  addEventListener("hashchange", changed);
  addEventListener("popstate", changed);
  return () => {
    removeEventListener("hashchange", changed);
    removeEventListener("popstate", changed);
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // Typed by hand, with a stray percent sign.
  }
}
