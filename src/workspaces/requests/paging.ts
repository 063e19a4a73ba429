import { z } from "zod";
import { cursorOf, type Place, placeAfter } from "./cursor.ts";

/** Every list is paged: `next` of one page is `after` of the following one. */
export interface Page<T> {
  readonly items: T[];
  readonly next: string | null;
}

export interface PageQuery {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

export const pageLimit = { usual: 50, most: 200 } as const;

/** A number in a query, where every value is text. */
export function countUpTo(most: number) {
  const range = `A whole number from 1 to ${most}`;
  return z
    .string()
    .regex(/^\d{1,4}$/, range)
    .transform(Number)
    .refine((count) => count >= 1 && count <= most, range);
}

/** Part of the query of every list. */
export const pageQuery = {
  limit: countUpTo(pageLimit.most).optional(),
  after: z.string().max(2000).optional().describe("`next` of the page before"),
};

export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    next: z.string().nullable().describe("`after` of the next page; null on the last"),
  });
}

/** Makes a page of a query that read one row more than its limit; `placeOf` returns the values that the rows are ordered by. */
export function pageOf<T>(rows: readonly T[], limit: number, placeOf: (row: T) => Place): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? cursorOf(placeOf(last)) : null };
}

/** Makes a page of a list that was read whole because it is short. */
export function pageOfAll<T>(
  rows: readonly T[],
  { limit = pageLimit.usual, after }: PageQuery = {},
): Page<T> {
  const [from] = placeAfter(after, z.tuple([z.int().min(0)])) ?? [0];
  const items = rows.slice(from, from + limit);
  return { items, next: from + limit < rows.length ? cursorOf([from + limit]) : null };
}
