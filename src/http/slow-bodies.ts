import type { IncomingMessage } from "node:http";
import type { App } from "./app.ts";

/**
 * A request has `withinMs` from its headers to its last byte, unless its route takes files: those have until the server's own limit, or
 * `withinMs` more once they were answered, as with a refusal.
 */
export function endSlowRequests(app: App, withinMs: number): void {
  const endIn = (raw: IncomingMessage) => {
    if (raw.complete) return;
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy();
    }, withinMs);
    raw.once("close", () => clearTimeout(timer));
  };
  app.addHook("onRequest", async ({ raw, routeOptions }) => {
    if (!routeOptions.config.slowBody) endIn(raw);
  });
  app.addHook("onResponse", async ({ raw, routeOptions }) => {
    if (routeOptions.config.slowBody) endIn(raw);
  });
}
