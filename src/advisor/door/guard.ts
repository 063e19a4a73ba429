import type { FastifyRequest } from "fastify";
import { isFromThisMachine } from "../../http/index.ts";
import { isPublished, sameSecret } from "../../kernel/crypto/index.ts";
import { isPublicAddress, unmapped } from "../../kernel/outbound/index.ts";
import type { AdvisorSettings } from "../settings.ts";
import { Refusal } from "./refusal.ts";

/** Only clients that hold the token, and from outside only over TLS. Neither is ever logged. */
export function requireToken(request: FastifyRequest, { token }: AdvisorSettings): void {
  if (!token)
    throw new Refusal(
      "server_misconfigured",
      "server_misconfigured",
      "BOT_BACKEND_TOKEN is not set on the server.",
    );
  const [, given] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  // The demo's own token can be read by anybody, so it is good on the demo's machine only.
  const mayUse = !isPublished(token) || isFromThisMachine(request);
  if (!given || !mayUse || !sameSecret(given, token))
    throw new Refusal(
      "unauthorized",
      "unauthorized",
      "Send the header Authorization: Bearer with BOT_BACKEND_TOKEN.",
    );
}

/** Proxies and bots of the same network may speak plainly; the rest of the world may not. */
export function requireTls(request: FastifyRequest, { behindTls }: AdvisorSettings): void {
  if (behindTls && request.protocol === "http" && isPublicAddress(unmapped(request.ip)))
    throw new Refusal(
      "https_required",
      "https_required",
      "Use https: over plain http the token can be read.",
    );
}
