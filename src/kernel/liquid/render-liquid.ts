import { Context, type Emitter, type Liquid, toValueSync } from "liquidjs";
import { templateLimits } from "./limits.ts";
import { parsed } from "./parsed.ts";
import { type TemplateError, templateErrorFrom } from "./template-error.ts";
import { textOf } from "./text-of.ts";

export interface RenderOptions {
  /** The zone in which dates are written. */
  readonly timezone?: string;
  /** An undefined variable is an error instead of empty. */
  readonly strictVariables?: boolean;
  /** Longest rendered text in bytes of UTF-8, if not the usual one. */
  readonly outputBytes?: number;
}

export type RenderedTemplate =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: TemplateError };

/** Renders a template with these values. Never throws. */
export function renderLiquid(
  engine: Liquid,
  body: string,
  values: object,
  { timezone = "UTC", strictVariables = false, outputBytes = templateLimits.output }: RenderOptions = {},
): RenderedTemplate {
  const output = boundedOutput(outputBytes);
  try {
    const context = new Context(
      values,
      { ...engine.options, timezoneOffset: timezone },
      { sync: true, strictVariables },
      { liquid: engine },
    );
    countOwnTime(context);
    toValueSync(engine.renderer.renderTemplates(parsed(engine, body), context, output));
    return { ok: true, text: tidied(output.buffer) };
  } catch (thrown) {
    return { ok: false, error: templateErrorFrom(thrown) };
  }
}

/** Why a body cannot be parsed, or undefined. Rendering may still fail on its values. */
export function liquidFault(engine: Liquid, body: string): TemplateError | undefined {
  try {
    engine.parse(body);
    return undefined;
  } catch (thrown) {
    return templateErrorFrom(thrown);
  }
}

/**
 * Limits CPU time, so that a busy machine does not fail a template. Measuring CPU time takes longer than most renderings, so
 * it starts only when half of the limit has passed on the wall clock.
 */
function countOwnTime({ renderLimit }: Context): void {
  const half = templateLimits.renderMs / 2;
  const latest = performance.now() + half;
  let late: NodeJS.CpuUsage | undefined;
  const check = renderLimit.check.bind(renderLimit);
  renderLimit.check = (now) => {
    if (now <= latest) return;
    late ??= process.cpuUsage();
    const { user, system } = process.cpuUsage(late);
    if ((user + system) / 1000 > half) check(now);
  };
}

/** Stops a template as soon as it has written too much, so that a loop cannot fill the memory first. */
function boundedOutput(most: number): Emitter {
  let bytes = 0;
  return {
    buffer: "",
    write(value: unknown) {
      const text = textOf(value);
      bytes += Buffer.byteLength(text);
      if (bytes > most) throw new Error(`the text is longer than ${most} bytes`);
      this.buffer += text;
    },
  };
}

/** Lines that held only tags are empty after rendering. */
function tidied(text: string): string {
  return text
    .replace(/(?<![ \t])[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
