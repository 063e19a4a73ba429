import type { Block, Inline } from "./document.ts";
import { paragraphsOf, trimInlines } from "./inlines.ts";
import { tableLines } from "./table-lines.ts";

/** The result of parsing a flat dialect: text with blocks in between. */
export type Node = Inline | Block;

const blockTypes: ReadonlySet<string> = new Set<Block["type"]>([
  "paragraph",
  "heading",
  "list",
  "quote",
  "pre",
  "image",
  "table",
  "contents",
]);

export function isBlock(node: Node): node is Block {
  return blockTypes.has(node.type);
}

/** Turns the text between blocks into paragraphs. */
export function blocksOf(nodes: readonly Node[]): Block[] {
  const blocks: Block[] = [];
  let run: Inline[] = [];
  const flush = () => {
    blocks.push(...paragraphsOf(trimInlines(merged(run))));
    run = [];
  };
  for (const node of nodes) {
    if (isBlock(node)) {
      flush();
      blocks.push(node);
    } else run.push(node);
  }
  flush();
  return blocks;
}

/** For places that cannot hold blocks: code stays code, the rest keeps its text. */
export function inlinesOnly(nodes: readonly Node[]): Inline[] {
  const inlines = nodes.flatMap((node): Inline[] => {
    if (!isBlock(node)) return [node];
    if (node.type === "pre") return [{ type: "code", text: node.text }];
    if (node.type === "image" || node.type === "contents") return [];
    if (node.type === "table") return tableLines(node);
    if (node.type === "paragraph" || node.type === "heading") return [...node.children];
    return inlinesOnly(node.type === "quote" ? node.blocks : node.items.flatMap((item) => item.blocks));
  });
  return merged(inlines);
}

/** Joins neighbouring texts: escapes are parsed character by character. */
function merged(inlines: readonly Inline[]): Inline[] {
  const result: Inline[] = [];
  let texts: string[] = [];
  const flush = () => {
    const text = texts.join("");
    if (text !== "") result.push({ type: "text", text });
    texts = [];
  };
  for (const inline of inlines) {
    if (inline.type === "text") texts.push(inline.text);
    else {
      flush();
      result.push(inline);
    }
  }
  flush();
  return result;
}
