import { setMaxListeners } from "node:events";

/**
 * Signals all running work of a service to stop. Hundreds of jobs may listen at once, which is no leak: Node would warn of
 * one from the eleventh listener on.
 */
export function createStopController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
