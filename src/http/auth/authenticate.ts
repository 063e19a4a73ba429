import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { findApiToken } from "../operators/api-tokens.ts";
import { findSession } from "../operators/sessions.ts";
import { problem } from "../problems/index.ts";
import type { Caller } from "./caller.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { type Scope, scopes } from "./scopes.ts";
import { sessionCookie, setSessionCookie } from "./session-cookie.ts";

export interface AuthDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** Returns the caller, or throws if the scope is missing. */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: Scope,
  deps: AuthDeps,
): Promise<Caller> {
  const caller = await identify(request, reply, deps);
  if (!caller.scopes.includes(scope)) {
    throw problem("scope_missing", {
      detail: `This needs the scope "${scope}"; the token has: ${caller.scopes.join(", ")}.`,
      headers: { "www-authenticate": `Bearer realm="molva", error="insufficient_scope", scope="${scope}"` },
    });
  }
  return caller;
}

/** If a token is sent, the cookie is ignored, even when the token is wrong. */
async function identify(request: FastifyRequest, reply: FastifyReply, deps: AuthDeps): Promise<Caller> {
  if (request.headers.authorization !== undefined) return byToken(request.headers.authorization, deps);
  const cookie = request.cookies[sessionCookie];
  if (cookie) return byCookie(cookie, request, reply, deps);
  throw problem("not_signed_in", { headers: { "www-authenticate": 'Bearer realm="molva"' } });
}

async function byToken(header: string, { sql, clock }: AuthDeps): Promise<Caller> {
  const token = /^Bearer +(mlv_[0-9A-Za-z]+)$/i.exec(header)?.[1];
  const found = token ? await findApiToken(sql, { token, clock }) : undefined;
  if (!found) {
    throw problem("not_signed_in", {
      detail: "The API token is unknown, expired or revoked.",
      headers: { "www-authenticate": 'Bearer realm="molva", error="invalid_token"' },
    });
  }
  return { kind: "token", ...found };
}

async function byCookie(
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { sql, clock, publicUrl }: AuthDeps,
): Promise<Caller> {
  const session = await findSession(sql, { token, clock });
  if (!session) {
    throw problem("not_signed_in", {
      detail: "The session has ended.",
      headers: { "www-authenticate": 'Bearer realm="molva"' },
    });
  }
  requireSameOrigin(request, publicUrl);
  if (session.extended)
    setSessionCookie(reply, { token, expiresAt: session.expiresAt }, { publicUrl, clock });
  return {
    kind: "operator",
    ...session.operator,
    workspaceId: null,
    scopes,
    session: { id: session.id, expiresAt: session.expiresAt },
  };
}
