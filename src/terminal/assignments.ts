/** `field=value` on the command line, with the same field names as over HTTP. */
import type { z } from "zod";
import { safeParse } from "zod/v4/core";
import { exitCodes, UserError } from "./failure.ts";

/**
 * Parses each value by the type of its field: text as it is, numbers and objects as JSON, lists also with commas, `null` to
 * clear. If nothing fits, the value of the right type is passed on, so that the schema reports the error.
 */
export function assigned(
  { shape }: z.ZodObject,
  typed: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    typed.map((assignment) => {
      const equals = assignment.indexOf("=");
      const field = assignment.slice(0, equals);
      if (equals < 1)
        throw new UserError(`${assignment}: give field=value, as in title=News.`, exitCodes.usage);
      const text = assignment.slice(equals + 1);
      const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
      return [field, schema ? valueFor(schema, text) : text];
    }),
  );
}

function valueFor(schema: z.core.$ZodType, text: string): unknown {
  const readings = [...(text === "null" ? [null] : []), text, jsonOf(text), text.split(",")]
    .filter((reading) => reading !== undefined)
    .map((reading) => ({ reading, fit: fitOf(schema, reading) }));
  const best = readings.find(({ fit }) => fit === "whole") ?? readings.find(({ fit }) => fit === "type");
  return best ? best.reading : text;
}

/** Whether a value is valid, at least of the right type, or neither. */
function fitOf(schema: z.core.$ZodType, value: unknown): "whole" | "type" | "none" {
  const { success, error } = safeParse(schema, value);
  if (success) return "whole";
  const wrongType = error.issues.some(
    ({ code, path }) => path.length === 0 && (code === "invalid_type" || code === "invalid_union"),
  );
  return wrongType ? "none" : "type";
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
