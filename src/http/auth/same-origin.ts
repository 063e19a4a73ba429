import type { FastifyRequest } from "fastify";
import { problem } from "../problems/index.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/**
 * Refuses a change that another site's page made with the operator's cookie. Browsers say where a request
 * comes from in `Sec-Fetch-Site`, or on plain http only in `Origin`; a request that says neither is refused.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (safeMethods.has(request.method)) return;
  const { origin, "sec-fetch-site": site } = request.headers;
  if (site !== undefined ? site === "same-origin" : isOurOrigin(origin, request.host, publicUrl)) return;
  throw problem("cross_origin");
}

/** The public address, or whatever name the browser itself reached the server by (localhost, 127.0.0.1). */
function isOurOrigin(origin: string | undefined, host: string, publicUrl: string): boolean {
  if (!origin || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.origin === new URL(publicUrl).origin || from.host === host;
}
