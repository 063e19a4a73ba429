import swaggerUi from "@fastify/swagger-ui";
import type { App } from "../app.ts";
import type { ProblemTable } from "../problems/index.ts";

/** Swagger UI uses inline styles, which the console's policy forbids. */
const swaggerPolicy = {
  "default-src": ["'none'"],
  "script-src": ["'self'"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["'self'", "data:"],
  "connect-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "frame-ancestors": ["'none'"],
};

/** `/docs` to read and try the API, `/docs/json` for machines, `/docs/errors` for the codes of problems. */
export async function docsPages(app: App, problems: ProblemTable): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: swaggerPolicy,
    uiConfig: { deepLinking: true, docExpansion: "list", validatorUrl: null },
    theme: { title: "Molva API" },
  });

  const page = errorsPage(problems);
  app.get("/docs/errors", { schema: { hide: true } }, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").send(page),
  );
}

function errorsPage(problems: ProblemTable): string {
  const entries = Object.entries(problems).sort(([a], [b]) => (a < b ? -1 : 1));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Molva API: errors</title>
<h1>Errors</h1>
<p>Every error is <code>application/problem+json</code>; <code>code</code> never changes its meaning.</p>
<dl>
${entries
  .map(
    ([code, { status, title, meaning }]) =>
      `<dt id="${code}"><code>${code}</code> (${status}) ${escapeHtml(title)}</dt><dd>${escapeHtml(meaning)}</dd>`,
  )
  .join("\n")}
</dl>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
