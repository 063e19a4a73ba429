import { z } from "zod";
import { refuse } from "./errors.ts";
import { limits } from "./limits.ts";

/** Parses by the schema, or throws the refusal for the first invalid field. */
export function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  throw refuse.invalid(
    issue?.message ?? "is invalid",
    [...(issue?.path ?? []), ...unknown].join(".") || undefined,
  );
}

export const pageFields = {
  limit: z.coerce.number().int().min(1).max(limits.page.most).default(limits.page.usual),
  cursor: z.string().optional(),
};

/** One page of a list; the cursor is opaque. */
export function paged<T>(
  all: readonly T[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const from = cursor === undefined ? 0 : Number(Buffer.from(cursor, "base64url").toString());
  if (!Number.isInteger(from) || from < 0) throw refuse.invalid("is invalid", "cursor");
  const next = from + limit;
  return {
    items: all.slice(from, next),
    more: next < all.length ? { next_cursor: Buffer.from(String(next)).toString("base64url") } : {},
  };
}

const time = z.iso.datetime({ offset: true }).transform(Date.parse).optional();
export const timeFields = {
  "created_at.gte": time,
  "created_at.gt": time,
  "created_at.lte": time,
  "created_at.lt": time,
};

export function createdAt(
  { createdAt: at }: { readonly createdAt: number },
  times: { readonly [Name in keyof typeof timeFields]?: number | undefined },
): boolean {
  return (
    at >= (times["created_at.gte"] ?? 0) &&
    at > (times["created_at.gt"] ?? -1) &&
    at <= (times["created_at.lte"] ?? Number.POSITIVE_INFINITY) &&
    at < (times["created_at.lt"] ?? Number.POSITIVE_INFINITY)
  );
}
