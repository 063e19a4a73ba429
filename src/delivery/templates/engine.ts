import type { Liquid } from "liquidjs";
import type { ParseMode } from "../../content/index.ts";
import { createEngine, textOf } from "../../kernel/liquid/index.ts";
import { escapes } from "./escape.ts";

/** One engine per markup, because what an output is escaped for is decided when a template is parsed. */
export const engines: Record<ParseMode, Liquid> = {
  HTML: engineFor("HTML"),
  Markdown: engineFor("Markdown"),
  None: engineFor("None"),
};

function engineFor(mode: ParseMode): Liquid {
  const escaped = escapes[mode];
  const engine = createEngine(escaped);
  // Authors write `| escape` by habit; where everything is escaped already it must not happen twice.
  if (mode === "HTML" && escaped)
    engine.registerFilter("escape", { raw: true, handler: (value: unknown) => escaped(textOf(value)) });
  return engine;
}
