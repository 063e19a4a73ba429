import type { App } from "../app.ts";

/** The twins' page is on the twins' own port; `/playground` redirects there. */
export function playgroundRedirect(app: App, twinsUrl: string): void {
  app.get("/playground", { schema: { hide: true } }, async (_request, reply) =>
    reply.redirect(`${twinsUrl.replace(/\/$/, "")}/`),
  );
}
