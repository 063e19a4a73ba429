import type { App } from "../app.ts";

/** The twins' page lives on the twins' own port; the console's address leads there. */
export function playgroundRedirect(app: App, twinsUrl: string): void {
  app.get("/playground", { schema: { hide: true } }, async (_request, reply) =>
    reply.redirect(`${twinsUrl.replace(/\/$/, "")}/`),
  );
}
