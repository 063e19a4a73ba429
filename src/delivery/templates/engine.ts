import type { Liquid } from "liquidjs";
import type { ParseMode } from "../../content/index.ts";
import { createEngine, textOf } from "../../kernel/liquid/index.ts";
import { escapes } from "./escape.ts";

/** One engine per markup, because the escaping of outputs is fixed when a template is parsed. */
export const engines: Record<ParseMode, Liquid> = {
  HTML: engineFor("HTML"),
  Markdown: engineFor("Markdown"),
  None: engineFor("None"),
};

function engineFor(mode: ParseMode): Liquid {
  const escaped = escapes[mode];
  const engine = createEngine(escaped);
  // Authors write `| escape` by habit; values that are escaped already must not be escaped twice.
  if (mode === "HTML" && escaped)
    engine.registerFilter("escape", { raw: true, handler: (value: unknown) => escaped(textOf(value)) });
  return engine;
}
