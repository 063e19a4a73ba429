import type { FastifyInstance, FastifyRequest } from "fastify";

/** Makes the scope accept only forms, as plain text. */
export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string", bodyLimit: 64 * 1024 }, (_request, body, done) =>
    done(null, body),
  );
}

/** The fields of the query and of the form; the form's take precedence. */
export function fieldsOf(request: FastifyRequest): Record<string, string> {
  const query = Object.entries(typeof request.query === "object" ? { ...request.query } : {});
  const form = typeof request.body === "string" ? [...new URLSearchParams(request.body)] : [];
  return Object.fromEntries(
    [...query, ...form].flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])),
  );
}

/** An address with additional query parameters. */
export function addressWith(address: string, more: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [key, value] of Object.entries(more)) url.searchParams.set(key, value);
  return url.href;
}
