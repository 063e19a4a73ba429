import { Liquid } from "liquidjs";
import type { ParseMode } from "../../content/index.ts";
import { escapes } from "./escape.ts";
import { templateLimits } from "./limits.ts";
import { textOf } from "./text-of.ts";

/** Tags that would read other templates. */
const tagsOfFiles = ["include", "render", "layout", "block"] as const;

/** One engine per markup, because what an output is escaped for is decided when a template is parsed. */
export const engines: Record<ParseMode, Liquid> = {
  HTML: engineFor("HTML"),
  Markdown: engineFor("Markdown"),
  None: engineFor("None"),
};

function engineFor(mode: ParseMode): Liquid {
  const escaped = escapes[mode];
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    lenientIf: true,
    templates: {},
    locale: "ru",
    parseLimit: templateLimits.body,
    renderLimit: templateLimits.renderMs,
    memoryLimit: templateLimits.memory,
    ...(escaped && { outputEscape: (value: unknown) => escaped(textOf(value)) }),
  });
  for (const tag of tagsOfFiles) delete engine.tags[tag];
  // Authors write `| escape` by habit; where everything is escaped already it must not happen twice.
  if (mode === "HTML" && escaped)
    engine.registerFilter("escape", { raw: true, handler: (value: unknown) => escaped(textOf(value)) });
  return engine;
}
