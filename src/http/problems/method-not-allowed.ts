import type { App } from "../app.ts";
import { problem } from "./index.ts";

/** Remembers which methods each path has, as routes are added. */
export function collectMethods(app: App): ReadonlyMap<string, ReadonlySet<string>> {
  const methods = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    methods.set(url, known);
    for (const name of [method].flat()) known.add(name);
  });
  return methods;
}

/** Answers 405 with the allowed methods for every known path. Call after the routes are added. */
export function refuseOtherMethods(app: App, methods: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, known] of [...methods]) {
    if (url.includes("*")) continue;
    const allowed = [...known].sort();
    const refused = app.supportedMethods.filter((method) => !app.hasRoute({ method, url }));
    if (refused.length === 0) continue;
    app.route({
      method: refused,
      url,
      schema: { hide: true },
      config: { scope: "public" },
      onRequest: async (request) => {
        throw problem("method_not_allowed", {
          detail: `${request.method} is not allowed here; allowed: ${allowed.join(", ")}.`,
          headers: { allow: allowed.join(", ") },
        });
      },
      handler: async () => undefined,
    });
  }
}
