import { createEngine } from "../../kernel/liquid/index.ts";
import { withoutDelimiters } from "./delimiters.ts";

/** Data cannot open or close a tag of the prompt around it: `<` before a name, a slash or the end becomes `‹`. */
function withoutTags(text: string): string {
  return text.replace(/<(?=[/!?\p{L}]|$)/gu, "‹");
}

export const engines = {
  system: createEngine(),
  user: withJson(createEngine(withoutTags)),
  /** The user part of task prompts. */
  task: withJson(
    createEngine((text) => withoutTags(withoutDelimiters(text)).replace(/^>/, "›"), {
      output: ["<<", ">>"],
      tag: ["<%", "%>"],
    }),
  ),
};

/** Escaping cannot be switched off, and `json` prints lists and objects. */
function withJson(engine: ReturnType<typeof createEngine>) {
  delete engine.filters.raw;
  engine.registerFilter("json", (value: unknown) => JSON.stringify(value ?? null, null, 2));
  return engine;
}
