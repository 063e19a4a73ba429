import type { Mark, MarkedText, MarkKind } from "../../content/index.ts";

interface Element {
  readonly tag: string;
  /** The opening tag with its attributes. */
  readonly opening: string;
  readonly children: Node[];
}
type Node = string | Element;

/** Parses the HTML that `html.ts` wrote into what readers see: the text, lists as lines, and marks over it. */
export function readHtml(html: string): MarkedText {
  const marks: Mark[] = [];
  let text = "";
  writeBlocks(treeOf(html), "\n", "\n\n");
  return {
    text,
    marks: marks.toSorted((one, other) => one.offset - other.offset || other.length - one.length),
  };

  function writeBlocks(nodes: readonly Node[], newline: string, between: string): void {
    blocksOf(nodes).forEach((block, index) => {
      if (index > 0) text += between;
      if (Array.isArray(block)) for (const node of block) writeInline(node, newline);
      else writeBlock(block, newline, between);
    });
  }

  function writeBlock({ tag, opening, children }: Element, newline: string, between: string): void {
    if (tag === "p") for (const node of children) writeInline(node, newline);
    else if (tag === "pre") marked({ type: "pre" }, () => (text += wordsIn(children)));
    else if (tag === "table") writeTable(children, newline);
    else if (tag === "ul" || tag === "ol") writeList({ tag, opening, children }, newline);
    else if (tag === "blockquote")
      marked({ type: "quote", expandable: false }, () => writeBlocks(children, newline, between));
    else if (/^h[2-6]$/.test(tag)) {
      const level = Number(tag.slice(1));
      marked({ type: "heading", level }, () => {
        for (const node of children) writeInline(node, newline);
      });
    } else writeBlocks(children, newline, between);
  }

  function writeList({ tag, opening, children }: Element, newline: string): void {
    const start = Number(/start="(-?\d+)"/.exec(opening)?.[1] ?? 1);
    const items = children.filter((node) => typeof node !== "string");
    items.forEach((item, index) => {
      if (index > 0) text += newline;
      text += tag === "ol" ? `${start + index}. ` : "• ";
      writeBlocks(item.children, `${newline}   `, `${newline}   `);
    });
  }

  function writeTable(children: readonly Node[], newline: string): void {
    rowsIn(children).forEach((row, index) => {
      if (index > 0) text += newline;
      row.children
        .filter((cell) => typeof cell !== "string")
        .forEach((cell, place) => {
          if (place > 0) text += " | ";
          for (const node of cell.children) writeInline(node, newline);
        });
    });
  }

  function writeInline(node: Node, newline: string): void {
    if (typeof node === "string") text += node;
    else if (node.tag === "br") text += newline;
    else
      marked(kindOf(node), () => {
        for (const child of node.children) writeInline(child, newline);
      });
  }

  function marked(kind: MarkKind | undefined, write: () => void): void {
    const offset = text.length;
    write();
    if (kind && text.length > offset) marks.push({ kind, offset, length: text.length - offset });
  }
}

const blockTags: ReadonlySet<string> = new Set(
  "p h2 h3 h4 h5 h6 ul ol li blockquote pre div figure figcaption nav table".split(" "),
);

function rowsIn(nodes: readonly Node[]): Element[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string") return [];
    return node.tag === "tr" ? [node] : rowsIn(node.children);
  });
}

/** Block elements; inline content between them becomes one more block. */
function blocksOf(nodes: readonly Node[]): (Element | Node[])[] {
  const blocks: (Element | Node[])[] = [];
  for (const node of nodes) {
    const last = blocks.at(-1);
    if (typeof node !== "string" && blockTags.has(node.tag)) blocks.push(node);
    else if (typeof node !== "string" && node.tag === "img") continue;
    else if (Array.isArray(last)) last.push(node);
    else blocks.push([node]);
  }
  return blocks.filter((block) => Array.isArray(block) || block.tag === "pre" || block.children.length > 0);
}

function treeOf(html: string): Node[] {
  const top: Element = { tag: "", opening: "", children: [] };
  const open = [top];
  let preformatted = 0;
  for (const piece of withoutComments(html).split(/(<[^<>]*>)/)) {
    const parent = open.at(-1) ?? top;
    const [, slash, tag = ""] = /^<(\/?)([a-z0-9]+)/.exec(piece) ?? [];
    if (tag === "") {
      // Line breaks between blocks are not visible.
      const words = preformatted > 0 ? piece : piece.replace(/\n+/g, "");
      if (words !== "") parent.children.push(unescaped(words));
    } else if (slash) {
      open.pop();
      if (tag === "pre") preformatted -= 1;
    } else {
      const element = { tag, opening: piece, children: [] };
      parent.children.push(element);
      if (tag === "pre") preformatted += 1;
      if (tag !== "br" && tag !== "img") open.push(element);
    }
  }
  return top.children;
}

const withoutComments = (html: string): string =>
  html
    .split("<!--")
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf("-->") + "-->".length)))
    .join("");

const wordsIn = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : wordsIn(node.children))).join("");

const inlineMarks: Readonly<Record<string, MarkKind>> = {
  strong: { type: "bold" },
  em: { type: "italic" },
  u: { type: "underline" },
  s: { type: "strike" },
  mark: { type: "highlight" },
  code: { type: "code" },
};

function kindOf({ tag, opening }: Element): MarkKind | undefined {
  const href = tag === "a" ? /href="([^"]*)"/.exec(opening)?.[1] : undefined;
  return href === undefined ? inlineMarks[tag] : { type: "link", url: unescaped(href) };
}

function unescaped(html: string): string {
  return html
    .replaceAll("&#091;", "[")
    .replaceAll("&quot;", '"')
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
}
