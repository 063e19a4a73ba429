/** Client-side navigation. The console has a few flat pages, so a package would be larger than needed. */
import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";

const moved = new EventTarget();

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => trimmed(location.pathname));
}

export function navigate(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  window.scrollTo(0, 0);
  moved.dispatchEvent(new Event("moved"));
}

export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    if (trimmed(href) !== trimmed(location.pathname)) navigate(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}

/** With a modifier or another button the person wants a new tab or window, which is the browser's work. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  moved.addEventListener("moved", listener);
  return () => {
    window.removeEventListener("popstate", listener);
    moved.removeEventListener("moved", listener);
  };
}

function trimmed(path: string): string {
  return path.replace(/(?<!\/)\/+$/, "") || "/";
}
