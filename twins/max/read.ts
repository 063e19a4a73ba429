import { z } from "zod";
import { refuse } from "./errors.ts";

/** The value as the schema describes it, or the provider's refusal naming the first field at fault. */
export function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".");
  throw refuse.payload(field ? `${field}: ${issue?.message}` : "Invalid request");
}

/** A whole number as it comes in a query string or a path. */
export const int = z
  .string()
  .regex(/^-?\d{1,16}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
