import { z } from "zod";
import { refuse } from "./errors.ts";
import { limits } from "./limits.ts";

/** Parses by the schema, or throws the refusal for the first invalid field. */
export function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refuse.invalid(`'${issue?.path.join(".")}' ${issue?.message ?? "is invalid"}`);
}

export const number = z
  .string()
  .regex(/^\d+$/, { error: ({ input }) => `value '${input}' must match the pattern: ^\\d+$` });

/** One page of a list; the bookmark is opaque. */
export function paged<T>(all: readonly T[], query: Readonly<Record<string, string>>) {
  const size = query.page_size === undefined ? limits.page.usual : Number(query.page_size);
  if (!Number.isInteger(size) || size < 1 || size > limits.page.most) {
    throw refuse.invalid(`'page_size' must be between 1 and ${limits.page.most}`);
  }
  const from =
    query.bookmark === undefined ? 0 : Number(Buffer.from(query.bookmark, "base64url").toString().slice(2));
  if (!Number.isInteger(from)) throw refuse.invalid("'bookmark' is invalid");
  const next = from + size;
  const bookmark = next < all.length ? Buffer.from(`b:${next}`).toString("base64url") : null;
  return { items: all.slice(from, next), bookmark };
}
