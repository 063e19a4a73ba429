/** What is passed between nodes. Each item knows the one it was made from, like n8n's paired items. */
export interface Item {
  readonly json: unknown;
  /** The node that gave it. */
  readonly node: string;
  readonly madeOf: Item | undefined;
}

/** What the node of this name gave on the way to the item. */
export function ancestor(item: Item, node: string): Item {
  for (let each: Item | undefined = item; each; each = each.madeOf) if (each.node === node) return each;
  throw new Error(`${node} is not on the way that led here`);
}
