import { useSyncExternalStore } from "react";

/** A choice the browser remembers. Where storage is forbidden it lives until the page is closed. */
export interface Stored<T> {
  get(): T;
  set(value: T): void;
  /** The value as React state. */
  use(): T;
}

export function stored<T extends string>(
  key: string,
  accept: (text: string | null) => T,
  onChange: (value: T) => void = () => {},
): Stored<T> {
  let value = accept(read(key));
  const listeners = new Set<() => void>();
  const change = (next: T) => {
    value = next;
    onChange(next);
    for (const listener of listeners) listener();
  };
  onChange(value);
  // Another tab changed it.
  window.addEventListener("storage", (event) => {
    if (event.key === key) change(accept(event.newValue));
  });
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => value;
  return {
    get,
    set(next) {
      write(key, next);
      change(next);
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Where storage is forbidden the choice is still shown, but not remembered.
  }
}
