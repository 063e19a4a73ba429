import type { Element, ElementContent, Nodes, Root, RootContent } from "hast";
import { toHtml } from "hast-util-to-html";
import rehypeParse from "rehype-parse";
import { unified } from "unified";

const parser = unified().use(rehypeParse, { fragment: true });

export function parsedHtml(html: string): Root {
  return parser.parse(html);
}

/** Every tag is closed and every attribute quoted, so that readers of XML accept it too. */
export function htmlOf(tree: Nodes): string {
  return toHtml(tree, { closeSelfClosing: true, allowDangerousHtml: false });
}

export function element(
  tagName: string,
  properties: Element["properties"],
  ...children: readonly (ElementContent | string)[]
): Element {
  return {
    type: "element",
    tagName,
    properties,
    children: children.map((child) => (typeof child === "string" ? { type: "text", value: child } : child)),
  };
}

export function isElement(
  node: RootContent | ElementContent,
  ...tagNames: readonly string[]
): node is Element {
  return node.type === "element" && (tagNames.length === 0 || tagNames.includes(node.tagName));
}

/** All elements in order of reading. */
export function* elementsIn(node: Root | Element): Generator<Element> {
  for (const child of node.children) {
    if (child.type !== "element") continue;
    yield child;
    yield* elementsIn(child);
  }
}

/** The tree with elements of its own; their properties may be replaced, not changed. */
export function copied(tree: Root): Root {
  const copy = <Node extends RootContent | ElementContent>(node: Node): Node =>
    node.type === "element" ? { ...node, children: node.children.map(copy) } : node;
  return { type: "root", children: tree.children.map(copy) };
}

/** Replaces an element by what it holds. */
export function unwrapped(
  children: readonly ElementContent[],
  isDropped: (element: Element) => boolean,
): ElementContent[] {
  return children.flatMap((child): ElementContent[] => {
    if (child.type !== "element") return [child];
    const inside = unwrapped(child.children, isDropped);
    return isDropped(child) ? inside : [{ ...child, children: inside }];
  });
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
