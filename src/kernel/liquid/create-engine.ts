import { Liquid } from "liquidjs";
import { templateLimits } from "./limits.ts";
import { textOf } from "./text-of.ts";

/** Tags that would read other templates. */
const tagsOfFiles = ["include", "render", "layout", "block"] as const;

/** An engine that reads nothing but its arguments and stops at its limits. `escaped` makes a value mean itself in the text. */
export function createEngine(escaped?: (text: string) => string): Liquid {
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
  return engine;
}
