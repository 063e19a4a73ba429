import { Liquid } from "liquidjs";
import { templateLimits } from "./limits.ts";
import { textOf } from "./text-of.ts";

/** Tags that would read other templates. */
const tagsOfFiles = ["include", "render", "layout", "block"] as const;

/**
 * The first argument of these filters names a property. liquidjs reads it again for every element and checks no limit
 * meanwhile: a list or a long text in its place would cost its own length times that of the list.
 */
const filtersByProperty = [
  "sort",
  "sort_natural",
  "map",
  "sum",
  "where",
  "reject",
  "group_by",
  "has",
  "find",
  "find_index",
] as const;
const longestProperty = 200;

/** The signs around values and tags, if not Liquid's own. */
export interface Delimiters {
  readonly output: readonly [string, string];
  readonly tag: readonly [string, string];
}

/** An engine that reads nothing but its arguments and stops at its limits. `escaped` escapes a value for the text's format. */
export function createEngine(escaped?: (text: string) => string, delimiters?: Delimiters): Liquid {
  const engine = new Liquid({
    ...(delimiters && {
      outputDelimiterLeft: delimiters.output[0],
      outputDelimiterRight: delimiters.output[1],
      tagDelimiterLeft: delimiters.tag[0],
      tagDelimiterRight: delimiters.tag[1],
    }),
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
  for (const name of filtersByProperty) takeOnlyNames(engine, name);
  return engine;
}

function takeOnlyNames(engine: Liquid, name: string): void {
  const filter = engine.filters[name];
  if (typeof filter !== "function") throw new Error(`liquidjs has no filter "${name}"`);
  engine.registerFilter(name, function (value: unknown, property?: unknown, ...others: unknown[]) {
    const isName = typeof property !== "object" || property === null;
    if (!isName || String(property).length > longestProperty)
      throw new Error(`"${name}" takes the name of a property, of ${longestProperty} characters at most`);
    return filter.call(this, value, property, ...others);
  });
}
