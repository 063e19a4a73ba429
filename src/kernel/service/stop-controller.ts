import { setMaxListeners } from "node:events";

/**
 * Tells everything a service has in hand to stop. Each piece of work listens for as long as it runs, and there may be
 * hundreds at once: Node warns of a leak from the eleventh on, which this is not.
 */
export function createStopController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
