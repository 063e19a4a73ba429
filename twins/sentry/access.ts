import type { FastifyRequest } from "fastify";

/** The key that a request brings, or the status and words of its refusal. */
export type Access = { readonly key: string } | { readonly status: 400 | 401; readonly detail: string };

const version = "7";

/** From the header or the query, not from both. */
export function accessOf(request: FastifyRequest): Access {
  const header = request.headers["x-sentry-auth"];
  const query = new URL(request.url, "http://twin").searchParams;
  const inQuery = query.get("sentry_key") ?? undefined;
  if (header === undefined && inQuery === undefined) return refused(401, "missing authorization information");
  if (header !== undefined && inQuery !== undefined)
    return refused(401, "multiple authorization payloads detected");
  const given = header === undefined ? Object.fromEntries(query) : fieldsOf(String(header));
  if (!given?.sentry_key) return refused(401, "bad x-sentry-auth header");
  if ((given.sentry_version ?? version) !== version)
    return refused(400, `unsupported protocol version (${given.sentry_version})`);
  if (!/^[0-9a-f]{32}$/.test(given.sentry_key)) return refused(400, "bad sentry DSN public key");
  return { key: given.sentry_key };
}

/** `Sentry sentry_version=7, sentry_key=…, sentry_client=molva/1.0` */
function fieldsOf(header: string): Record<string, string> | undefined {
  if (!/^sentry /i.test(header)) return undefined;
  const pairs = header
    .slice("sentry ".length)
    .split(",")
    .map((pair) => pair.trim().split("="));
  if (pairs.some((pair) => pair.length !== 2)) return undefined;
  return Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, value]));
}

const refused = (status: 400 | 401, detail: string): Access => ({ status, detail });
