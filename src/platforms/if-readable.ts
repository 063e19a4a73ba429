import { z } from "zod";

/**
 * A field of a provider's answer that is good to have. Whatever stands there and cannot be read counts as missing: a post
 * that arrived must not become one that nobody knows of, because a field that we hardly use is empty or new.
 */
export function ifReadable<T>(shape: z.ZodType<T>): z.ZodCatch<z.ZodOptional<z.ZodType<T>>> {
  return shape.optional().catch(undefined);
}

/** An id, which some answers give as a number and some as a text. */
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

/** A number, or a text that is one. */
export const numberShape = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d+(?:\.\d+)?$/)
    .transform(Number),
]);
