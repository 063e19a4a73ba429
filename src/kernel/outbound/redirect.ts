import { parsedUrl } from "../url/index.ts";
import type { HttpAnswer, HttpRequest } from "./contract.ts";

const redirects = new Set([301, 302, 303, 307, 308]);

/** Headers that do not identify the caller; only these are sent to another origin. */
const harmless = new Set([
  "accept",
  "accept-language",
  "accept-encoding",
  "user-agent",
  "range",
  "if-none-match",
  "if-modified-since",
]);
const aboutBody = /^content-/;

/** The next request after a redirect, or undefined when the answer is not a redirect. */
export function redirected(request: HttpRequest, answer: HttpAnswer): HttpRequest | undefined {
  const location = answer.headers.location;
  if (!redirects.has(answer.status) || !location) return undefined;
  // An invalid target is passed on and refused where every address is checked.
  const url = parsedUrl(location, request.url);
  const { body, ...rest } = request;
  const dropBody = becomesGet(answer.status, request.method);
  const sameOrigin = url?.origin === new URL(request.url).origin;
  const keep = (name: string) =>
    aboutBody.test(name) ? !dropBody && body !== undefined : sameOrigin || harmless.has(name);
  return {
    ...rest,
    url: url?.href ?? location,
    method: dropBody ? "GET" : request.method,
    headers: Object.fromEntries(
      Object.entries(request.headers ?? {}).filter(([name]) => keep(name.toLowerCase())),
    ),
    ...(!dropBody && body !== undefined && { body }),
  };
}

/** As the Fetch standard has it. */
function becomesGet(status: number, method: HttpRequest["method"]): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}
