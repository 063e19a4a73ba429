import type { FastifySchemaCompiler } from "fastify";
import { z } from "zod";
import { errorsFromIssues } from "./problems/from-zod.ts";
import { problem } from "./problems/index.ts";
import { textFaults } from "./problems/text-faults.ts";
import { inOurWords } from "./problems/words.ts";

const partNames: Record<string, string> = {
  body: "body",
  querystring: "query",
  params: "path",
  headers: "headers",
};

/** Validates requests with zod; errors have JSON pointers. (The type provider's own compiler does not escape them.) */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const part = partNames[httpPart ?? ""] ?? "request";
  return (data) => {
    const result = schema.safeParse(data, inOurWords);
    const errors = result.success ? [...textFaults(result.data)] : errorsFromIssues(result.error.issues);
    if (result.success && errors.length === 0) return { value: result.data };
    return { error: problem("invalid_request", { detail: sentence(part, errors), errors }) };
  };
};

function sentence(part: string, errors: readonly { pointer: string; detail: string }[]): string {
  const [first, ...others] = errors;
  if (!first) return `The ${part} is not valid.`;
  const more = others.length ? ` (and ${others.length} more)` : "";
  return `The ${part} is not valid: ${first.pointer ? `${first.pointer}: ` : ""}${first.detail}${more}.`;
}

/** A line of text for people: no control characters, which PostgreSQL or a terminal cannot take, no lone surrogates. */
export function lineOfText(length: { min: number; max: number }) {
  return z
    .string()
    .trim()
    .min(length.min)
    .max(length.max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "Control characters are not allowed");
}
