import { z } from "zod";

/** A request to the control API that cannot be carried out; the host answers it as `{error}`. */
export class InputError extends Error {
  readonly statusCode: number;

  constructor(message: string, statusCode = 400) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** The value as the schema describes it, or an error that names the first field at fault. */
export function readInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".");
  throw new InputError(field ? `${field}: ${issue?.message}` : (issue?.message ?? "invalid input"));
}

/** Numbers as they come in a query string. */
export const queryNumber = z.coerce.number().int().min(0);
