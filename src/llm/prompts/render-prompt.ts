import { renderLiquid } from "../../kernel/liquid/index.ts";
import type { PromptCall } from "../ask.ts";
import { engines } from "./engines.ts";
import type { Prompt, ValueKind } from "./prompt-file.ts";

export interface RenderedPrompt {
  readonly system: string;
  readonly user?: string;
}

/**
 * Fills the variables of a prompt. Values that do not fit its declaration are a bug of the caller and throw: text that
 * somebody typed must never get into the system part.
 */
export function renderPrompt(prompt: Prompt, { name, values = {}, data = {} }: PromptCall): RenderedPrompt {
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

/** A prompt and the code that uses it do not fit together. */
export class PromptError extends Error {
  override readonly name = "PromptError";
}

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
  const result = renderLiquid(engine, body, values, { strictVariables: true });
  if (!result.ok) throw new PromptError(`prompt ${name}: ${result.error.message}`);
  return result.text;
}
