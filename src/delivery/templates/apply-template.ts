import { type ParseMode, parseModes } from "../../content/index.ts";
import type { TemplateError } from "../../kernel/liquid/index.ts";
import { renderTemplate, type TemplateSource } from "./render-template.ts";

/** The active version of a channel's template, as delivery.active_template gives it. */
export interface ActiveTemplate extends TemplateSource {
  readonly id: string;
  readonly version: number;
  /** The workspace's zone. */
  readonly timezone: string;
}

export type AppliedTemplate =
  | { readonly ok: true; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: TemplateError };

/** The payload with the template's text in the place of its own. */
export function applyTemplate(
  template: ActiveTemplate,
  payload: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>>,
): AppliedTemplate {
  const markup = markupOf(template.defaults, settings, payload);
  const rendered = renderTemplate(template, payload, markup, { timezone: template.timezone });
  return rendered.ok
    ? { ok: true, payload: { ...payload, text: rendered.text, parse_mode: markup, dialect: "commonmark" } }
    : rendered;
}

/**
 * In which markup a template is written: its own defaults say it, or the channel's settings. The post comes last: its
 * `parse_mode` tells how its text is written, and its text is only one of the template's ingredients.
 */
function markupOf(...sources: readonly Readonly<Record<string, unknown>>[]): ParseMode {
  for (const { parse_mode: named } of sources) {
    const mode = parseModes.find((known) => known === named);
    if (mode) return mode;
  }
  return "None";
}
