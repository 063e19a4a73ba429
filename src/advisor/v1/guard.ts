import type { FastifyRequest } from "fastify";
import { isFromThisMachine } from "../../http/index.ts";
import { isPublished, sameSecret } from "../../kernel/crypto/index.ts";
import { isPublicAddress, unmapped } from "../../kernel/outbound/index.ts";
import type { AdvisorSettings } from "../advisor-settings.ts";
import { Refusal } from "./refusal.ts";

/** Requires the token. It is never logged. */
export function requireToken(request: FastifyRequest, { token }: AdvisorSettings): void {
  if (!token)
    throw new Refusal(
      "server_misconfigured",
      "server_misconfigured",
      "BOT_BACKEND_TOKEN is not set on the server.",
    );
  const [, given] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  // The demo's token is public, so it works only from the demo's machine.
  const mayUse = !isPublished(token) || isFromThisMachine(request);
  if (!given || !mayUse || !sameSecret(given, token))
    throw new Refusal(
      "unauthorized",
      "unauthorized",
      "Send the header Authorization: Bearer with BOT_BACKEND_TOKEN.",
    );
}

/** Plain HTTP is allowed only from private networks. */
export function requireTls(request: FastifyRequest, { behindTls }: AdvisorSettings): void {
  if (behindTls && request.protocol === "http" && isPublicAddress(unmapped(request.ip)))
    throw new Refusal(
      "https_required",
      "https_required",
      "Use https: over plain http the token can be read.",
    );
}
