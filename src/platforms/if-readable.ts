import { z } from "zod";

/**
 * An optional field of a provider's answer. A value that cannot be parsed counts as missing: a minor field in a new
 * format must not turn a post that arrived into an unknown outcome.
 */
export function ifReadable<T>(shape: z.ZodType<T>): z.ZodCatch<z.ZodOptional<z.ZodType<T>>> {
  return shape.optional().catch(undefined);
}

/** An id, which providers return as a number or as a string. */
export const idShape = z.union([z.string().min(1), z.int().transform(String)]);

/** The items of a list that can be read. */
export function readableItems<T>(shape: z.ZodType<T>): z.ZodType<T[]> {
  return z.array(z.unknown()).transform((items) =>
    items.flatMap((item) => {
      const read = shape.safeParse(item);
      return read.success ? [read.data] : [];
    }),
  );
}

/** A number, or a string that contains one. */
export const numberShape = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d+(?:\.\d+)?$/)
    .transform(Number),
]);
