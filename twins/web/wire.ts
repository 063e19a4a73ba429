import type { FastifyInstance } from "fastify";
import type { Answer, StatusFault } from "../shared/index.ts";

/** A body as its text, whatever its type says: each provider has its own words for one that is not JSON. */
export function takeText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
}

/** Undefined for what is not JSON. */
export function jsonOf(body: unknown): unknown {
  if (typeof body !== "string") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A scripted status: the provider's own answer, or HTML of a server in front if the description is a page. */
export function scripted(fault: StatusFault, own: (fault: StatusFault) => unknown): Answer {
  const { status, description, retryAfter } = fault;
  const isPage = description?.startsWith("<") === true;
  return {
    status,
    body: isPage ? description : own(fault),
    headers: {
      ...(isPage && { "content-type": "text/html" }),
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    },
  };
}
