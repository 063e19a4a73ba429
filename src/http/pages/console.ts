import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import { codeOf } from "../../kernel/errors/index.ts";
import type { App } from "../app.ts";
import { problem } from "../problems/index.ts";

/** Paths for machines: an unknown one is an error, not a page. */
const notPages = new Set(["api", "v1", "docs", "assets", "healthz", "metrics", "webhook"]);

const notBuilt = `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<title>Molva</title>
<h1>Консоль ещё не собрана</h1>
<p>Выполните <code>npm run build</code> в папке проекта и обновите страницу. API работает и без неё: <a href="/docs">/docs</a>.</p>
<h1 lang="en">The console is not built yet</h1>
<p lang="en">Run <code>npm run build</code> in the project's folder and reload. The API works without it: <a href="/docs">/docs</a>.</p>
</html>
`;

/** The console's files. Their names contain a hash of their content, so browsers may cache them for ever. */
export async function consoleAssets(app: App, webFolder: string): Promise<void> {
  await app.register(fastifyStatic, {
    serve: true,
    root: join(webFolder, "assets"),
    prefix: "/assets/",
    index: false,
    immutable: true,
    // The build writes a .br and a .gz beside each file.
    preCompressed: true,
    maxAge: "365d",
    decorateReply: false,
    schemaHide: true,
    // The console may be built after the start; until then a page says how to build it.
    suppressWarning: true,
  });
}

/** For paths without a route: the console does its own routing, so they get its page; everything else is not found. */
export function consolePage(webFolder: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!wantsPage(request)) throw problem("not_found", { detail: "There is nothing at this path." });
    const page = await builtPage(webFolder);
    return reply
      .code(page === undefined ? 503 : 200)
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-cache")
      .send(page ?? notBuilt);
  };
}

function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const reads = method === "GET" || method === "HEAD";
  const [, first = ""] = url.split(/[/?]/);
  return reads && headers.accept?.includes("text/html") === true && !notPages.has(first);
}

async function builtPage(webFolder: string): Promise<string | undefined> {
  try {
    return await readFile(join(webFolder, "index.html"), "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
