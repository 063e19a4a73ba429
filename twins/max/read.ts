import { z } from "zod";
import { refuse } from "./errors.ts";

/** Parses by the schema, or throws the provider's refusal for the first invalid field. */
export function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".");
  throw refuse.payload(field ? `${field}: ${issue?.message}` : "Invalid request");
}

/** An integer from a query string or a path. */
export const int = z
  .string()
  .regex(/^-?\d{1,16}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
