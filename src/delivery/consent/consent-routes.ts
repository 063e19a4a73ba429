import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App, RouteModule } from "../../http/index.ts";
import { reason, workspaceRoutes } from "../../workspaces/index.ts";
import { key, platform } from "../admin/fields.ts";
import {
  beginCredentialConsent,
  type ConsentDeps,
  consentingPlatforms,
  consentPath,
} from "./begin-consent.ts";
import { consentPage, pagePolicy, statusOf } from "./consent-page.ts";
import { languageOf } from "./consent-words.ts";
import { type ConsentEnd, endVisit, startVisit, type Visit } from "./end-consent.ts";
import { goodForMs } from "./times.ts";

const text = z.string().max(2_000);
const startQuery = z.looseObject({ user_id: text.catch(""), nonce: text.catch("") });
const answerQuery = z.looseObject({
  state: text.catch(""),
  code: text.optional().catch(undefined),
  error: text.optional().catch(undefined),
});

/** The consent pages for people: `/api/auth/{platform}` and its `/callback`. */
export function consentRoutes(deps: ConsentDeps): RouteModule {
  return {
    name: "delivery.consent",
    routes(app) {
      connectRoute(app, deps);
      for (const { name, consent } of consentingPlatforms(deps.platforms))
        addPages(app, deps, { platform: name, consent });
    },
  };
}

/** The route by which operators begin. */
function connectRoute(app: App, deps: ConsentDeps): void {
  const routes = workspaceRoutes(app, deps.sql, { under: "/api/v1/credentials", tag: "credentials" });
  routes.post(
    "/:platform/connect",
    {
      scope: "admin",
      summary:
        "A link by which a person gives access to an account in the browser; it is good for 30 minutes",
      params: z.object({ platform }),
      body: z.strictObject({
        auth_ref: key.describe("The name that channels use for it; replaces the credential before"),
        reason: reason.optional(),
      }),
      answer: connectSchema,
    },
    async ({ workspaceId, params, body, by }) => {
      const credential = { platform: params.platform, auth_ref: body.auth_ref };
      const { url, expiresAt } = await beginCredentialConsent(deps, workspaceId, credential, by);
      return { ...credential, url, expires_at: expiresAt };
    },
  );
}

const connectSchema = z
  .object({ platform: z.string(), auth_ref: z.string(), url: z.url(), expires_at: z.date() })
  .meta({ id: "ConsentLink" });

function addPages(app: App, deps: ConsentDeps, visit: Visit): void {
  const path = consentPath(visit.platform);
  const cookie = {
    httpOnly: true,
    sameSite: "lax",
    path,
    secure: deps.publicUrl.startsWith("https:"),
    maxAge: goodForMs / 1000,
  } as const;

  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const { user_id: userId, nonce } = startQuery.parse(request.query);
    const start = await startVisit(deps, visit, { userId, nonce });
    if (start.kind !== "redirect") return show(start, request, reply);
    return reply
      .setCookie(cookieOf(start.nonce), "1", cookie)
      .header("cache-control", "no-store")
      .redirect(start.url);
  });

  app.get(`${path}/callback`, { schema: { hide: true } }, async (request, reply) => {
    const end = await endVisit(deps, visit, {
      ...answerQuery.parse(request.query),
      hasBegun: (nonce) => request.cookies[cookieOf(nonce)] !== undefined,
    });
    // A browser that cannot open the bot shows the page instead.
    if (end.kind === "handed_over") reply.header("location", end.deepLink);
    return show(end, request, reply);
  });

  function show(end: ConsentEnd, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const language = languageOf(request.headers["accept-language"]);
    return reply
      .code(statusOf[end.kind])
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-store")
      .header("content-security-policy", pagePolicy)
      .send(consentPage(end, visit.platform, language));
  }
}

/** Each exchange has its own cookie, so that two at once do not interfere. */
const cookieOf = (nonce: string) => `molva_consent_${nonce}`;
