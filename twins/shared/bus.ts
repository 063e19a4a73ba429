import type { Bus, TwinEvent } from "./contract.ts";

export function createBus(): Bus {
  const listeners = new Set<(event: TwinEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
