import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { isWithinAll } from "../networks.ts";
import { findApiToken, noteRefusedNetwork, noteTokenUse } from "../operators/api-tokens.ts";
import { findSession } from "../operators/sessions.ts";
import { problem } from "../problems/index.ts";
import type { Caller } from "./caller.ts";
import { scopesAnywhere } from "./reach.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { sessionCookie, setSessionCookie } from "./session-cookie.ts";

export interface AuthDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Operators without a second factor may do nothing but set one up. */
  readonly requireSecondFactor: boolean;
}

/** Returns the caller. If a token is sent, the cookie is ignored, even when the token is wrong. */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AuthDeps,
): Promise<Caller> {
  if (request.headers.authorization !== undefined)
    return byToken(request.headers.authorization, request, deps);
  const cookie = request.cookies[sessionCookie];
  if (cookie) return byCookie(cookie, request, reply, deps);
  throw problem("not_signed_in", { headers: { "www-authenticate": 'Bearer realm="molva"' } });
}

async function byToken(header: string, { ip }: FastifyRequest, { sql, clock }: AuthDeps): Promise<Caller> {
  const token = /^Bearer +(mlv_[0-9A-Za-z]+)$/i.exec(header)?.[1];
  const found = token ? await findApiToken(sql, { token, clock }) : undefined;
  if (!found) {
    throw problem("not_signed_in", {
      detail: "The API token is unknown, expired or revoked.",
      headers: { "www-authenticate": 'Bearer realm="molva", error="invalid_token"' },
    });
  }
  if (!isWithinAll(found.reach, ip)) {
    await noteRefusedNetwork(sql, found, { address: ip, clock });
    throw problem("network_refused");
  }
  await noteTokenUse(sql, found, { clock });
  return { kind: "token", ...found };
}

async function byCookie(
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { sql, clock, publicUrl, requireSecondFactor }: AuthDeps,
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
  const { operator } = session;
  if (requireSecondFactor && !operator.hasSecondFactor && !request.routeOptions.config.beforeSecondFactor)
    throw problem("second_factor_required");
  return {
    kind: "operator",
    ...operator,
    scopes: scopesAnywhere({ kind: "operator", ...operator }),
    session: { id: session.id, signedInAt: session.signedInAt, expiresAt: session.expiresAt },
  };
}
