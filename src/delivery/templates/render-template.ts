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
  /** Values of what a payload does not bring. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * The template's text for this payload. What comes from the payload is escaped for `parseMode`, unless the template says
 * `| raw`. Never throws, reads nothing but its arguments, and stops at its limits.
 */
export function renderTemplate(
  { body, defaults }: TemplateSource,
  payload: Readonly<Record<string, unknown>>,
  parseMode: ParseMode,
  options: RenderOptions = {},
): RenderedTemplate {
  return renderLiquid(engines[parseMode], body, { ...defaults, ...payload }, options);
}

/** Whether a body can be parsed at all; rendering it may still fail on what a payload brings. */
export function templateFault(body: string): TemplateError | undefined {
  return liquidFault(engines.None, body);
}
