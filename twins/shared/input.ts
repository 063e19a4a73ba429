import { z } from "zod";

/** An invalid request to the control API; the host answers it as `{error}`. */
export class InputError extends Error {
  readonly statusCode: number;

  constructor(message: string, statusCode = 400) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Parses by the schema, or throws an error that names the first invalid field. */
export function readInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".");
  throw new InputError(field ? `${field}: ${issue?.message}` : (issue?.message ?? "invalid input"));
}

/** Numbers as they come in a query string. */
export const queryNumber = z.coerce.number().int().min(0);
