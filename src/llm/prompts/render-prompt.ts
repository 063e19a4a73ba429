import { renderLiquid } from "../../kernel/liquid/index.ts";
import type { PromptCall } from "../ask.ts";
import { engines } from "./engines.ts";
import type { Prompt, TextPrompt, ValueKind } from "./prompt-file.ts";
import type { TaskPrompt } from "./task-prompt.ts";

export interface RenderedPrompt {
  readonly system: string;
  readonly user?: string;
}

/**
 * Fills the variables of a prompt. Values that do not fit its declaration are a bug of the caller and throw: text that
 * somebody typed must never get into the system part.
 */
export function renderPrompt(prompt: Prompt, call: PromptCall): RenderedPrompt {
  return prompt.task ? renderTask(prompt, call) : renderText(prompt, call);
}

function renderText(prompt: TextPrompt, { name, values = {}, data = {} }: PromptCall): RenderedPrompt {
  for (const [field, value] of Object.entries(values)) {
    const kind = Object.hasOwn(prompt.values, field) ? prompt.values[field] : undefined;
    if (kind === undefined) throw new PromptError(`prompt ${name} declares no value ${field}`);
    if (!fits(kind, value)) throw new PromptError(`prompt ${name}: ${field} must be ${kindText(kind)}`);
  }
  const missing = Object.keys(prompt.values).find((field) => !Object.hasOwn(values, field));
  if (missing !== undefined) throw new PromptError(`prompt ${name} needs a value ${missing}`);
  const system = rendered(engines.system, prompt.system, values, name);
  return prompt.user === undefined
    ? { system }
    : { system, user: rendered(engines.user, prompt.user, data, name) };
}

/** Fills the user part with `data`. What the prompt does not declare is left out: an operator may have shortened it. */
function renderTask(
  { system, user, variables }: TaskPrompt,
  { name, data = {} }: PromptCall,
): RenderedPrompt {
  const filled: Record<string, unknown> = {};
  for (const variable of variables) {
    const given = Object.hasOwn(data, variable.name) ? data[variable.name] : undefined;
    const value = isEmpty(given) ? (variable.default ?? "") : given;
    if (variable.required && isEmpty(value)) throw new VariableMissing(name, variable.name);
    filled[variable.name] = value;
  }
  return { system, user: rendered(engines.task, user, filled, name) };
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === "string" && value.trim() === "") ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** A prompt and the code that uses it do not fit together. */
export class PromptError extends Error {
  override readonly name: string = "PromptError";
}

/** A required variable has no value: the caller's data is incomplete, which is no bug. */
export class VariableMissing extends PromptError {
  override readonly name = "VariableMissing";
  constructor(prompt: string, variable: string) {
    super(`prompt ${prompt} needs the variable ${variable}`);
  }
}

/** A question may quote several pages. */
const longestPrompt = 400 * 1024;

function fits(kind: ValueKind, value: unknown): boolean {
  if (kind === "number") return typeof value === "number" && Number.isFinite(value);
  if (kind === "boolean") return typeof value === "boolean";
  return typeof value === "string" && kind.includes(value);
}

function kindText(kind: ValueKind): string {
  if (typeof kind === "string") return kind === "number" ? "a number" : "true or false";
  return `one of ${kind.join(", ")}`;
}

function rendered(engine: (typeof engines)["user"], body: string, values: object, name: string): string {
  const result = renderLiquid(engine, body, values, {
    strictVariables: true,
    outputBytes: longestPrompt,
  });
  if (!result.ok) throw new PromptError(`prompt ${name}: ${result.error.message}`);
  return result.text;
}
