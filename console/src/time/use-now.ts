import { useSyncExternalStore } from "react";

/** Coarse on purpose: words such as "5 minutes ago" need no more. */
const tickMs = 5_000;

/** The current moment, the same for everyone on the page and renewed every few seconds. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => moment);
}

let moment = new Date();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    tick();
    timer = setInterval(tick, tickMs);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  moment = new Date();
  for (const listener of listeners) listener();
}
