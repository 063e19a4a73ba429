import type { Nodes, Root } from "mdast";

/** Addresses that Markdown links to already. */
export function markdownLinks(tree: Root | undefined): string[] {
  const found: string[] = [];
  const visit = (node: Nodes) => {
    if (node.type === "link" || node.type === "definition") found.push(node.url);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  if (tree) visit(tree);
  return found;
}
