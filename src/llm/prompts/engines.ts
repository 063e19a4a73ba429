import { createEngine } from "../../kernel/liquid/index.ts";

/** Data can neither open nor close a tag that the prompt has put around it: `<` before a name or a slash becomes `‹`. */
function withoutTags(text: string): string {
  return text.replace(/<(?=[/!?\p{L}])/gu, "‹");
}

export const engines = { system: createEngine(), user: withJson(createEngine(withoutTags)) };

/** There is no way around the escaping, and `json` writes lists and objects out. */
function withJson(engine: ReturnType<typeof createEngine>) {
  delete engine.filters.raw;
  engine.registerFilter("json", (value: unknown) => JSON.stringify(value ?? null, null, 2));
  return engine;
}
