import { z } from "zod";

/** Lists come in pages: `next` of one is `after` of the following. */
export interface Page<T> {
  readonly items: T[];
  readonly next: string | null;
}

export interface PageQuery {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

export const pageLimit = { usual: 50, most: 200 } as const;

/** A number in a query, which knows only text. */
export function countUpTo(most: number) {
  const range = `A whole number from 1 to ${most}`;
  return z
    .string()
    .regex(/^\d{1,4}$/, range)
    .transform(Number)
    .refine((count) => count >= 1 && count <= most, range);
}

/** `after` is the key of the last item of the page before. */
export function pageQuery<After extends z.ZodType>(after: After) {
  return {
    limit: countUpTo(pageLimit.most).optional(),
    after: after.optional().describe("`next` of the page before"),
  };
}

export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    next: z.string().nullable().describe("`after` of the next page; null on the last"),
  });
}

/** A page of rows that were asked for one more than it holds. */
export function pageOf<T>(rows: readonly T[], count: number, keyOf: (row: T) => string): Page<T> {
  const items = rows.slice(0, count);
  const last = items.at(-1);
  return { items, next: rows.length > count && last ? keyOf(last) : null };
}
