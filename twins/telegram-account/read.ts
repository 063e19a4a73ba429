import { z } from "zod";
import { bad } from "./rpc-error.ts";

/** The value as the schema describes it, or the refusal that a field of the wrong kind gets. */
export function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw bad(`INPUT_REQUEST_INVALID: ${issue?.path.join(".")}: ${issue?.message}`);
}

/** Signed 64-bit, decimal. */
export const long = z
  .string()
  .regex(/^-?\d{1,19}$/)
  .refine((text) => BigInt.asIntN(64, BigInt(text)) === BigInt(text), "more than 64 bits");

export const peer = z.strictObject({ id: z.int(), accessHash: long });
