import { shortIds } from "../kernel/ids/index.ts";
import { table } from "./layout.ts";

/** A table whose first column has ids shortened as far as they still differ. */
export function idTable<Item extends { readonly id: string }>(
  none: string,
  cells: Readonly<Record<string, (item: Item) => string>>,
) {
  return (items: readonly Item[]): string => {
    const short = shortIds(items.map(({ id }) => id));
    const byId = new Map(items.map(({ id }, index) => [id, short[index] ?? id]));
    const shortId = ({ id }: Item) => byId.get(id) ?? id;
    return table<Item>(none, { id: shortId, ...cells })(items);
  };
}
