import { z } from "zod";
import { bad } from "./rpc-error.ts";

/** Parses by the schema, or throws Telegram's refusal for a field of the wrong type. */
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
