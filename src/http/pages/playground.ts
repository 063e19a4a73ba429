import type { App } from "../app.ts";
import { problem } from "../problems/index.ts";

/** The twins' page lives on the twins' own port; the console's address leads there when they run. */
export function playgroundRedirect(app: App, twinsUrl: string | undefined): void {
  app.get("/playground", { schema: { hide: true } }, async (_request, reply) => {
    if (!twinsUrl)
      throw problem("not_found", { detail: "The twins are not running, so there is no playground." });
    return reply.redirect(`${twinsUrl.replace(/\/$/, "")}/`);
  });
}
