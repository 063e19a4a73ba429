/** The open chat is the address: `#telegram/-1001234567890`. */
import { useSyncExternalStore } from "react";
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
  if (provider === undefined || id === undefined) return undefined;
  return { provider: decoded(provider), id: decoded(id), key: keyOf(decoded(provider), decoded(id)) };
}

export function hashOf(provider: string, id: string): string {
  return `#${encodeURIComponent(provider)}/${encodeURIComponent(id)}`;
}

/** Leaves no bare `#` behind, and lets the browser's own back button return to the chat. */
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
