import type { ParseMode } from "../../../content/index.ts";
import { engines } from "../../templates/engine.ts";
import { valueAt } from "./pointer.ts";

/** Where a field's value comes from: a JSON pointer into the item, or a Liquid template over it. */
export type Expression = (item: object) => unknown;

/** A template's values are escaped for the markup they are written into, unless they pass through the filter `raw`. */
export function compileExpression(text: string, markup: ParseMode = "None"): Expression {
  if (isPointer(text)) return (item) => valueAt(item, text);
  const engine = engines[markup];
  const template = engine.parse(text);
  return (item) => String(engine.renderSync(template, item));
}

/** What is wrong with an expression, or nothing. */
export function expressionFault(text: string): string | undefined {
  if (isPointer(text)) return undefined;
  try {
    engines.None.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isPointer(text: string): boolean {
  return text.startsWith("/");
}
