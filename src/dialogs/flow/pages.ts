/** Long lists, a page at a time. */
import type { ScreenKey } from "./screens.ts";

export const itemsPerPage = 8;

export interface Page<Item> {
  readonly items: readonly Item[];
  /** From 1; a page beyond the end is the last one. */
  readonly page: number;
  readonly pages: number;
}

export function pageOf<Item>(all: readonly Item[], wanted: number, perPage = itemsPerPage): Page<Item> {
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const page = Math.min(Math.max(1, Math.trunc(wanted) || 1), pages);
  return { items: all.slice((page - 1) * perPage, page * perPage), page, pages };
}

/** [◀] [1/2] [▶] of a screen; nothing if there is one page. `at` gives the address of a page. */
export function pager(
  { page, pages }: Pick<Page<unknown>, "page" | "pages">,
  at: (page: number) => string,
): ScreenKey[] {
  return pagerItems({ page, pages }).map(({ arg, label }) => ({ label, to: at(Number(arg)) }));
}

/** The same for a flow's button with `each`; its argument is the page. */
export function pagerItems({
  page,
  pages,
}: Pick<Page<unknown>, "page" | "pages">): { readonly arg: string; readonly label: string }[] {
  if (pages < 2) return [];
  return [
    ...(page > 1 ? [{ arg: String(page - 1), label: "◀" }] : []),
    { arg: String(page), label: `${page}/${pages}` },
    ...(page < pages ? [{ arg: String(page + 1), label: "▶" }] : []),
  ];
}

/** Rows of so many buttons each. */
export function grid<Key>(keys: readonly Key[], columns: number): Key[][] {
  const rows: Key[][] = [];
  for (let start = 0; start < keys.length; start += columns) rows.push(keys.slice(start, start + columns));
  return rows;
}
