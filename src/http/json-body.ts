import type { App } from "./app.ts";
import { problem } from "./problems/index.ts";

/** Bodies are JSON in UTF-8. Invalid UTF-8 is refused: Fastify would silently replace it. */
export function parseJsonBodies(app: App): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const text = decoded(body);
    if (text === undefined) done(problem("invalid_json", { detail: "The body is not UTF-8." }));
    else parse(request, text, done);
  });
}

function decoded(bytes: string | Buffer): string | undefined {
  try {
    return typeof bytes === "string" ? bytes : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
