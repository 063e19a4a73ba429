/** Signing in through a provider. These are pages of the browser: whatever happens, it ends up on a page of the console. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { noteAudit } from "../../audit/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import type { GuardedClient } from "../../kernel/outbound/index.ts";
import type { App } from "../app.ts";
import { setSessionCookie } from "../auth/session-cookie.ts";
import { enter } from "../operators/second-factor/enter.ts";
import { forgiveAttempt, type Subject, takeAttempt } from "../operators/throttle.ts";
import { problem } from "../problems/index.ts";
import { type IdentityRefusal, recognise } from "./identities.ts";
import { keepPending, pendingLifeMs, takePending } from "./pending.ts";
import { createProvider, type Identity, type OidcSettings } from "./provider.ts";
import { returnPath } from "./return-path.ts";

/** What signing in through a provider needs; absent where none is configured. */
export interface Oidc {
  readonly settings: OidcSettings;
  /** Reaches the issuer even where it is not public. */
  readonly http: GuardedClient;
  readonly keyValue: KeyValue;
}

export interface OidcDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly oidc: Oidc | undefined;
}

/** Why nobody was signed in; the console has a sentence for each. */
export type OidcRefusal = IdentityRefusal | "cancelled" | "stale" | "failed" | "throttled";

const under = "/api/v1/session/oidc";
const cookieName = "molva_oidc";

const methodsSchema = z.object({
  oidc: z
    .object({ name: z.string(), url: z.string().describe("Where a browser begins to sign in") })
    .nullable(),
});
const page = { 302: z.undefined().describe("To the provider, or to a page of the console") };

export function oidcRoutes(app: App, { sql, clock, publicUrl, oidc }: OidcDeps): void {
  const tags = ["session"];
  const config = { scope: "public" } as const;
  const redirectUri = `${publicUrl}${under}/callback`;
  const cookie = {
    httpOnly: true,
    sameSite: "lax",
    secure: publicUrl.startsWith("https:"),
    path: new URL(redirectUri).pathname,
  } as const;
  const provider = oidc && createProvider(oidc.settings, oidc.http, clock);

  app.get(
    "/api/v1/session/methods",
    {
      config,
      schema: { tags, summary: "How to sign in besides password and link", response: { 200: methodsSchema } },
    },
    async () => ({ oidc: oidc ? { name: oidc.settings.name, url: `${publicUrl}${under}` } : null }),
  );

  app.get(
    under,
    {
      config,
      schema: {
        ...{ tags, summary: "Begin to sign in through the OpenID Connect provider, in a browser" },
        querystring: z.object({ return: z.string().max(2000).optional().describe("A path of the console") }),
        response: page,
      },
    },
    async (request, reply) => {
      const { keyValue } = configured();
      const permission = await takeAttempt(sql, [visits(request)], { clock });
      if (permission.kind === "throttled") return refuse(request, reply, "throttled");
      try {
        const checks = await providerOf().newChecks();
        const target = await providerOf().authorizationUrl(checks, redirectUri);
        const browser = await keepPending(keyValue, { checks, returnTo: returnPath(request.query.return) });
        reply.setCookie(cookieName, browser, { ...cookie, maxAge: pendingLifeMs / 1000 });
        return reply.header("cache-control", "no-store").redirect(target, 302);
      } catch (error) {
        return refuse(request, reply, "failed", error);
      }
    },
  );

  app.get(
    `${under}/callback`,
    {
      config,
      schema: {
        ...{ tags, summary: "Where the provider sends the browser back to" },
        querystring: z.looseObject({ state: z.string().max(200).optional() }),
        response: page,
      },
    },
    async (request, reply) => {
      const { keyValue, settings } = configured();
      reply.clearCookie(cookieName, cookie);
      const pending = await takePending(keyValue, {
        state: request.query.state ?? "",
        browser: request.cookies[cookieName] ?? "",
      });
      if (!pending) return refuse(request, reply, "stale");

      let identity: Identity;
      try {
        const callback = new URL(redirectUri);
        callback.search = new URL(request.url, publicUrl).search;
        identity = await providerOf().identity(callback, pending.checks);
      } catch (error) {
        return refuse(request, reply, isCancelled(error) ? "cancelled" : "failed", error);
      }
      const { allowedDomains } = settings;
      const recognised = await recognise(identity, request.ip, { sql, clock, allowedDomains });
      if (recognised.kind === "refused") return refuse(request, reply, recognised.reason);

      await forgiveAttempt(sql, [visits(request)]);
      const { operatorId } = recognised;
      const visitor = { address: request.ip, userAgent: request.headers["user-agent"] };
      const entered = await sql.begin((tx) => enter(tx, visitor, { operatorId, method: "oidc", clock }));
      if (entered.kind === "second_step") {
        // After `#`, so that it reaches neither logs nor proxies nor referrers.
        const fragment = new URLSearchParams({
          second_step: entered.challenge.token,
          return: pending.returnTo,
        });
        return toConsole(reply, `/signin#${fragment}`);
      }
      request.log.info({ operator: operatorId }, "an operator signed in through the provider");
      setSessionCookie(reply, entered.session, { publicUrl, clock });
      return toConsole(reply, pending.returnTo);
    },
  );

  function configured(): Oidc {
    if (!oidc) throw problem("not_found", { detail: "No provider is configured: set OIDC_ISSUER." });
    return oidc;
  }

  function providerOf() {
    if (!provider) throw problem("not_found");
    return provider;
  }

  async function refuse(request: FastifyRequest, reply: FastifyReply, reason: OidcRefusal, error?: unknown) {
    // The library's messages tell what did not fit; its causes hold tokens and stay out of the log.
    if (error)
      request.log.warn({ reason, message: messageOf(error) }, "signing in through the provider failed");
    // Without a sign-in of ours behind them, anybody could fill the audit.
    if (reason !== "stale" && reason !== "throttled")
      await noteAudit(
        sql,
        {
          ...{ workspaceId: null, action: "signin.refused", result: "refused", address: request.ip },
          actor: { kind: "anonymous", id: null },
          meta: { by: "oidc", reason },
        },
        clock.now(),
      );
    return toConsole(reply, `/signin?refused=${reason}`);
  }

  function toConsole(reply: FastifyReply, path: string) {
    return reply.header("cache-control", "no-store").redirect(`${publicUrl}${path}`, 302);
  }
}

function visits(request: FastifyRequest): Subject {
  return { kind: "oidc", value: request.ip };
}

/** The person said no at the provider. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && "error" in error && error.error === "access_denied";
}
