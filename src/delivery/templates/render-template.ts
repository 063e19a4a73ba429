import type { ParseMode } from "../../content/index.ts";
import {
  liquidFault,
  type RenderedTemplate,
  type RenderOptions,
  renderLiquid,
  type TemplateError,
} from "../../kernel/liquid/index.ts";
import { engines } from "./engine.ts";

export type { RenderedTemplate, RenderOptions };

export interface TemplateSource {
  readonly body: string;
  /** Values for fields that a payload lacks. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * The template's text for this payload. Values from the payload are escaped for `parseMode`, unless the template says `| raw`.
 * Never throws, reads nothing but its arguments, and stops at its limits.
 */
export function renderTemplate(
  { body, defaults }: TemplateSource,
  payload: Readonly<Record<string, unknown>>,
  parseMode: ParseMode,
  options: RenderOptions = {},
): RenderedTemplate {
  return renderLiquid(engines[parseMode], body, { ...defaults, ...payload }, options);
}

/** Checks whether a body can be parsed; rendering may still fail for some payloads. */
export function templateFault(body: string): TemplateError | undefined {
  return liquidFault(engines.None, body);
}
