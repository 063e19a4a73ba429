import { createEngine } from "../../kernel/liquid/index.ts";

/** Data cannot open or close a tag of the prompt around it: `<` before a name or a slash becomes `‹`. */
function withoutTags(text: string): string {
  return text.replace(/<(?=[/!?\p{L}])/gu, "‹");
}

export const engines = { system: createEngine(), user: withJson(createEngine(withoutTags)) };

/** Escaping cannot be switched off, and `json` prints lists and objects. */
function withJson(engine: ReturnType<typeof createEngine>) {
  delete engine.filters.raw;
  engine.registerFilter("json", (value: unknown) => JSON.stringify(value ?? null, null, 2));
  return engine;
}
