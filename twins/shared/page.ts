import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** The page is served from one origin and loads nothing from others. */
const pagePolicy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** The chat page at `/`, from the folder of the built web pages. */
export async function pageRoutes(app: FastifyInstance, web: string | undefined): Promise<void> {
  app.get("/", async (_request, reply) => {
    reply.header("content-security-policy", pagePolicy).header("x-content-type-options", "nosniff");
    return reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-cache")
      .send((await builtPage(web)) ?? unbuiltPage);
  });
  app.get("/favicon.ico", async (_request, reply) => reply.code(204).send());
  if (web) {
    await app.register(fastifyStatic, {
      root: join(web, "assets"),
      prefix: "/assets/",
      // Vite puts a content hash into every name.
      immutable: true,
      maxAge: "365d",
      decorateReply: false,
    });
    // Pictures for the demo's posts, so that it needs no network.
    await app.register(fastifyStatic, { root: join(web, "demo"), prefix: "/demo/", decorateReply: false });
  }
}

async function builtPage(web: string | undefined): Promise<Buffer | undefined> {
  if (!web) return undefined;
  // Read on every request: the page may be built while the twins run.
  return readFile(join(web, "playground.html")).catch(() => undefined);
}

const unbuiltPage = `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Двойники мессенджеров</title>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 4em auto; padding: 0 1em">
<h1>Двойники мессенджеров</h1>
<p>Двойники работают, но страница чатов ещё не собрана. Соберите её командой <code>npm run build</code>
и обновите страницу.</p>
<p lang="en">The twins are running, but their chat page has not been built yet. Run <code>npm run build</code>
and reload.</p>
`;
