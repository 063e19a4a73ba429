import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, answerCall } from "../shared/index.ts";
import { authorizePage, decideAuthorization } from "./authorize.ts";
import { publishDue } from "./calls/posts.ts";
import type { Site } from "./model.ts";
import { answerRest, type RestParts, scriptedAnswer } from "./rest.ts";
import { findRoute } from "./routes.ts";
import { errorPage } from "./theme/error-page.ts";
import { pageAt } from "./theme/index.ts";
import { restUrl, type WordPress } from "./twin.ts";
import { announce } from "./views.ts";

/** The twins' server must accept what a site then refuses. */
const largestBody = 256 * 1024 * 1024;

/** Sites below `/wordpress/<site>`. */
export async function siteRoutes(app: FastifyInstance, wordpress: WordPress): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: largestBody }, (_request, body, done) =>
    done(null, body),
  );
  app.addHook("onSend", async (request, reply) => {
    if (request.method === "HEAD") reply.removeHeader("content-length");
  });
  // Sites share a host here, and a key of IndexNow lies in the root of its host: a file of any site is found there, too.
  app.get<{ Params: { file: string } }>("/:file(^[\\w-]+\\.txt$)", (request, reply) => {
    const { file } = request.params;
    const owner = wordpress.store.world.sites.find(({ options }) => options.files?.[file] !== undefined);
    if (!owner) return reply.callNotFound();
    return reply.type("text/plain; charset=utf-8").send(owner.options.files?.[file]);
  });
  app.all("/wordpress/:site", { bodyLimit: largestBody }, (request, reply) =>
    serve(wordpress, request, reply),
  );
  app.all("/wordpress/:site/*", { bodyLimit: largestBody }, (request, reply) =>
    serve(wordpress, request, reply),
  );
}

async function serve(
  wordpress: WordPress,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const url = new URL(request.url, "http://twins.invalid");
  const [, , name = "", ...rest] = url.pathname.split("/");
  const site = wordpress.store.site(decodeURIComponent(name));
  if (!site) return page(reply, { status: 404, body: errorPage(404) });
  if (site.options.movedTo !== null)
    return reply.redirect(`${site.options.movedTo}/${rest.join("/")}${url.search}`, 301);

  const path = `/${rest.join("/")}`;
  const file = site.options.files?.[path.slice(1)];
  if (file !== undefined) return reply.type("text/plain; charset=utf-8").send(file);
  const prefix = site.options.folder && `/${site.options.folder}`;
  if (prefix && path !== prefix && !path.startsWith(`${prefix}/`))
    return page(reply, { status: 404, body: errorPage(404) });
  const local = path.slice(prefix.length) || "/";
  if (publishDue(site, wordpress.context.clock.now()).length > 0) announce(wordpress, site);

  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const route = restRoute(site, local, url.searchParams);
  if (route !== undefined)
    return serveRest(wordpress, site, request, reply, { route, query: url.searchParams, body });
  if (local === "/") return serveHome(wordpress, site, url, request, reply);
  const upload = /^\/wp-content\/uploads\/(.+)$/.exec(local)?.[1];
  if (upload !== undefined) return serveUpload(wordpress, site, decodeURIComponent(upload), reply);
  if (local === "/wp-admin/authorize-application.php") {
    if (request.method !== "POST") return page(reply, authorizePage(site, url.searchParams));
    const decided = decideAuthorization(wordpress, site, new URLSearchParams(body.toString("utf8")));
    return typeof decided === "string" ? reply.redirect(decided, 302) : page(reply, decided);
  }
  return page(reply, pageAt(wordpress, site, local, url.searchParams));
}

/** The REST route of an address; undefined if it is a page. */
function restRoute({ options }: Site, path: string, query: URLSearchParams): string | undefined {
  const named = query.get("rest_route");
  if (named && (path === "/" || path === "/index.php")) return named;
  if (options.permalinks === "plain") return undefined;
  const found = /^(?:\/index\.php)?\/wp-json(\/.*)?$/.exec(path);
  return found ? (found[1] ?? "/") : undefined;
}

function serveRest(
  wordpress: WordPress,
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { route, query, body }: Pick<RestParts, "route" | "query" | "body">,
): Promise<FastifyReply> {
  const found = findRoute(site, route);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );
  return answerCall(wordpress.context, reply, {
    call: {
      provider: "wordpress",
      method: `${request.method} ${found?.route.path ?? route}`,
      chat: site.name,
    },
    request: { query: Object.fromEntries(query), ...journaled(headers["content-type"] ?? "", body) },
    work: async () => {
      const standing = maintenance(site);
      if (standing) return standing;
      if (body.length > site.options.bodyMaxBytes) return html(413, errorPage(413));
      return answerRest(wordpress, site, { method: request.method, route, query, headers, body });
    },
    refusal: (fault) => scriptedAnswer(site, fault),
  });
}

/** Clients look for the root of REST on the front page, so it can be made to fail as well. */
function serveHome(
  wordpress: WordPress,
  site: Site,
  url: URL,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isHidden = site.options.rest !== "on" && site.options.rest !== "members";
  const link = `<${restUrl(wordpress, site, "/")}>; rel="https://api.w.org/"`;
  return answerCall(wordpress.context, reply, {
    call: { provider: "wordpress", method: `${request.method} home`, chat: site.name },
    request: { query: Object.fromEntries(url.searchParams) },
    work: async () => {
      const answer = maintenance(site) ?? pageAt(wordpress, site, "/", url.searchParams);
      return { ...answer, headers: { ...pageHeaders, ...answer.headers, ...(!isHidden && { link }) } };
    },
    refusal: (fault) => scriptedAnswer(site, fault),
  });
}

async function serveUpload(
  wordpress: WordPress,
  site: Site,
  file: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const media = site.media.find((each) => each.file === file);
  const blob = media && (await wordpress.context.blobs.get(media.blob));
  if (!blob) return page(reply, { status: 404, body: errorPage(404) });
  return reply
    .headers({
      "content-type": blob.contentType,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    })
    .send(Buffer.from(blob.bytes));
}

function maintenance({ options }: Site): Answer | undefined {
  if (options.maintenance === "none") return undefined;
  const status = options.maintenance === "page_200" ? 200 : 503;
  const retry = status === 503 ? { "retry-after": "600" } : {};
  return { status, body: errorPage(503, "Сайт на обслуживании"), headers: { ...htmlType, ...retry } };
}

const htmlType = { "content-type": "text/html; charset=UTF-8" };
const html = (status: number, body: string): Answer => ({ status, body, headers: htmlType });

/** Pages contain what people wrote, scripts included; a browser must run none of it and load nothing from elsewhere. */
const pagePolicy =
  "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; form-action *; base-uri 'none'; frame-ancestors 'self'";

const pageHeaders = { ...htmlType, "content-security-policy": pagePolicy };

function page(reply: FastifyReply, { status, body, headers }: Answer): FastifyReply {
  return reply
    .code(status)
    .headers({ ...pageHeaders, ...headers })
    .send(body);
}

/** Bodies for the journal: JSON parsed, files by their size. */
function journaled(type: string, body: Buffer): { body?: unknown } {
  if (body.length === 0) return {};
  if (!/json|urlencoded/i.test(type)) return { body: `${type}, ${body.length} bytes` };
  try {
    return { body: /json/i.test(type) ? JSON.parse(body.toString("utf8")) : body.toString("utf8") };
  } catch {
    return { body: body.toString("utf8").slice(0, 500) };
  }
}
