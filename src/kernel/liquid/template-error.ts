import { LiquidError } from "liquidjs";
import { messageOf } from "../errors/index.ts";
import { templateLimits } from "./limits.ts";

/** An error in a template; line and column count from 1. */
export interface TemplateError {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** liquidjs names the exceeded limit, but not what it means for the author. */
const limitTexts: ReadonlyMap<string, string> = new Map([
  ["parse length limit exceeded", `the template is longer than ${templateLimits.body} characters`],
  ["template render limit exceeded", `rendering took longer than ${templateLimits.renderMs} ms`],
  [
    "memory alloc limit exceeded",
    "too much is made on the way: a range, an array or a text that grows in a loop",
  ],
]);

/** An error of liquidjs as a sentence with its line and column. */
export function templateErrorFrom(thrown: unknown): TemplateError {
  if (!LiquidError.is(thrown)) return { message: reasonOf(thrown) };
  const [line = 1, column = 1] = thrown.token.getPosition();
  return {
    message: `line ${line}, column ${column}: ${reasonOf(thrown.originalError ?? thrown)}`,
    line,
    column,
  };
}

function reasonOf(thrown: unknown): string {
  const text = messageOf(thrown);
  return limitTexts.get(text) ?? text.replace(/, line:\d+, col:\d+$/, "");
}
