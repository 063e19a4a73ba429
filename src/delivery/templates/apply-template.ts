import { type ParseMode, parseModes } from "../../content/index.ts";
import type { TemplateError } from "../../kernel/liquid/index.ts";
import { renderTemplate, type TemplateSource } from "./render-template.ts";

/** The active version of a channel's template, as delivery.active_template returns it. */
export interface ActiveTemplate extends TemplateSource {
  readonly id: string;
  readonly version: number;
  /** The time zone of the workspace. */
  readonly timezone: string;
}

export type AppliedTemplate =
  | { readonly ok: true; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: TemplateError };

/** The payload with its text replaced by the template's. */
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
 * The markup of a template: from its own defaults, or from the channel's settings. The post's `parse_mode` comes last: it
 * describes the post's own text, which is only one input of the template.
 */
function markupOf(...sources: readonly Readonly<Record<string, unknown>>[]): ParseMode {
  for (const { parse_mode: named } of sources) {
    const mode = parseModes.find((known) => known === named);
    if (mode) return mode;
  }
  return "None";
}
