import type { FastifyRequest } from "fastify";
import { parsedUrl } from "../../kernel/url/index.ts";
import { problem } from "../problems/index.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/**
 * Refuses changes that a page of another site makes with the operator's cookie (CSRF). Browsers name the origin of a request
 * in `Sec-Fetch-Site`, or on plain http only in `Origin`; a request with neither is refused.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (safeMethods.has(request.method)) return;
  const { origin, "sec-fetch-site": site } = request.headers;
  if (site !== undefined ? site === "same-origin" : isOurOrigin(origin, request.host, publicUrl)) return;
  throw problem("cross_origin");
}

/** For routes that sign somebody in: there is no cookie yet, but a page of another site must not sign a visitor in as somebody else. */
export function refuseForeignPage(request: FastifyRequest, publicUrl: string): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  if (origin !== undefined || site !== undefined) requireSameOrigin(request, publicUrl);
}

/** The public address, or the name by which the browser reached the server (localhost, 127.0.0.1). */
function isOurOrigin(origin: string | undefined, host: string, publicUrl: string): boolean {
  const from = parsedUrl(origin ?? "");
  return from !== undefined && (from.origin === new URL(publicUrl).origin || from.host === host);
}
