/** Client-side navigation: a path, parameters in it, and a query that pages keep their filters in. A package would bring little more. */
import {
  type AnchorHTMLAttributes,
  type MouseEvent,
  useCallback,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from "react";

const moved = new EventTarget();

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => trimmed(location.pathname));
}

/** Only keeping the place on a page, such as another filter, loses nothing that is unsaved. */
export function navigate(to: string, { replace = false, keepPlace = false } = {}): void {
  if (!keepPlace && !mayLeave()) return;
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  if (!keepPlace) window.scrollTo(0, 0);
  arrive();
}

/** Asks about what is unsaved on the page, if anything is; the words may fit better what is about to happen. */
export function mayLeave(words?: string): boolean {
  return [...questions].every(({ question }) => window.confirm(words ?? question));
}

/** The query of the address, and a way to change some of it. A value that is empty leaves the address. */
export function useQueryOf<Name extends string>(
  ...names: readonly Name[]
): [Readonly<Partial<Record<Name, string>>>, (changes: Partial<Record<Name, string>>) => void] {
  const search = useSyncExternalStore(subscribe, () => location.search);
  const key = names.join();
  const query = useMemo(() => {
    const given = new URLSearchParams(search);
    const found: Partial<Record<Name, string>> = {};
    // The names are the same in every render of a page, so their text stands for them.
    for (const name of key.split(",") as Name[]) {
      const value = given.get(name);
      if (value) found[name] = value;
    }
    return found;
  }, [search, key]);
  const change = useCallback((changes: Partial<Record<Name, string>>) => {
    const next = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries<string | undefined>(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    const text = next.toString();
    navigate(`${location.pathname}${text && `?${text}`}`, { replace: true, keepPlace: true });
  }, []);
  return [query, change];
}

/** Asks before the person leaves something unsaved, inside the console and out of it. */
export function useLeaveGuard(question: string | null): void {
  useEffect(() => {
    if (question === null) return;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const asked = { question };
    questions.add(asked);
    window.addEventListener("beforeunload", beforeUnload);
    return () => {
      questions.delete(asked);
      window.removeEventListener("beforeunload", beforeUnload);
    };
  }, [question]);
}

export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    if (href !== address()) navigate(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}

const questions = new Set<{ readonly question: string }>();

const address = () => `${location.pathname}${location.search}`;
let here = address();

function arrive(): void {
  here = address();
  moved.dispatchEvent(new Event("moved"));
}

// Back and Forward have changed the address already, so a refusal puts the old one back. A link to a part of the page stays on it.
window.addEventListener("popstate", () => {
  if (address() === here) return;
  if (mayLeave()) arrive();
  else history.pushState(null, "", here);
});

/** With a modifier or another button the person wants a new tab or window, which is the browser's work. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

function subscribe(listener: () => void): () => void {
  moved.addEventListener("moved", listener);
  return () => moved.removeEventListener("moved", listener);
}

function trimmed(path: string): string {
  return path.replace(/(?<!\/)\/+$/, "") || "/";
}
