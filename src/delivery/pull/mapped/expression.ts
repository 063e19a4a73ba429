import type { ParseMode } from "../../../content/index.ts";
import { liquidFault, renderLiquid } from "../../../kernel/liquid/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { engines } from "../../templates/engine.ts";
import { valueAt } from "./pointer.ts";

/** Where a field's value comes from: a JSON pointer into the item, or a Liquid template over it. Throws `ExpressionError`. */
export type Expression = (item: object) => unknown;

/** An item made a template fail or exceed its limits of time, memory or output. */
export class ExpressionError extends Error {
  override readonly name: string = "ExpressionError";
}

/** All templates of a run together took too long. No single item caused it, so the run ends and no item is dropped. */
export class OverBudget extends ExpressionError {
  override readonly name = "OverBudget";
}

/** Compiles a source's expressions; their time is counted together, because a list has thousands of items. */
export type Compile = (text: string, markup?: ParseMode) => Expression;

/** A template's values are escaped for their markup, unless they pass through the filter `raw`. */
export function expressionCompiler(budgetMs: number): Compile {
  let usedMs = 0;
  return (text, markup = "None") => {
    if (isPointer(text)) return (item) => valueAt(item, text);
    return (item) => {
      if (usedMs > budgetMs)
        throw new OverBudget(`the templates of the fields take more than ${budgetMs / 1000} s for one run`);
      // Processor time instead of wall time: a busy machine must not count against the template.
      const before = process.cpuUsage();
      const rendered = renderLiquid(engines[markup], text, item);
      const { user, system } = process.cpuUsage(before);
      usedMs += (user + system) / 1000;
      if (!rendered.ok) throw new ExpressionError(`"${shortened(text)}": ${rendered.error.message}`);
      return rendered.text;
    };
  };
}

/** The error in an expression, or undefined. */
export function errorInExpression(text: string): string | undefined {
  return isPointer(text) ? undefined : liquidFault(engines.None, text)?.message;
}

function shortened(text: string): string {
  return text.length > 60 ? `${cut(text, 59)}…` : text;
}

function isPointer(text: string): boolean {
  return text.startsWith("/");
}
