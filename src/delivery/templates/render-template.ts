import { Context, type Emitter, toValueSync } from "liquidjs";
import type { ParseMode } from "../../content/index.ts";
import { engines } from "./engine.ts";
import { templateLimits } from "./limits.ts";
import { type TemplateError, templateErrorFrom } from "./template-error.ts";
import { textOf } from "./text-of.ts";

export interface TemplateSource {
  readonly body: string;
  /** Values of what a payload does not bring. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

export interface RenderOptions {
  /** The zone in which dates are written. */
  readonly timezone?: string;
  /** A variable that is nowhere is an error instead of nothing: for trying a template out. */
  readonly strictVariables?: boolean;
}

export type RenderedTemplate =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: TemplateError };

/**
 * The template's text for this payload. What comes from the payload is escaped for `parseMode`, unless the template says
 * `| raw`. Never throws, reads nothing but its arguments, and stops at its limits.
 */
export function renderTemplate(
  { body, defaults }: TemplateSource,
  payload: Readonly<Record<string, unknown>>,
  parseMode: ParseMode,
  { timezone = "UTC", strictVariables = false }: RenderOptions = {},
): RenderedTemplate {
  const engine = engines[parseMode];
  const output = boundedOutput();
  try {
    const context = new Context(
      { ...defaults, ...payload },
      { ...engine.options, timezoneOffset: timezone },
      { sync: true, strictVariables },
      { liquid: engine },
    );
    toValueSync(engine.renderer.renderTemplates(engine.parse(body), context, output));
    return { ok: true, text: tidied(output.buffer) };
  } catch (thrown) {
    return { ok: false, error: templateErrorFrom(thrown) };
  }
}

/** Whether a body can be parsed at all; rendering it may still fail on what a payload brings. */
export function templateFault(body: string): TemplateError | undefined {
  try {
    engines.None.parse(body);
    return undefined;
  } catch (thrown) {
    return templateErrorFrom(thrown);
  }
}

/** Stops a template as soon as it has written too much, so that a loop cannot fill the memory first. */
function boundedOutput(): Emitter {
  let bytes = 0;
  return {
    buffer: "",
    write(value: unknown) {
      const text = textOf(value);
      bytes += Buffer.byteLength(text);
      if (bytes > templateLimits.output)
        throw new Error(`the text is longer than ${templateLimits.output} bytes`);
      this.buffer += text;
    },
  };
}

/** Tags leave the lines empty on which they stood. */
function tidied(text: string): string {
  return text
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
