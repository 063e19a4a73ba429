import type { Nodes, Paragraph, Parents, Root, TableRow } from "mdast";
import { markdownTree } from "./read-markdown.ts";

/** A part of a source or of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Markup around a part of a text, with its place in the source. */
export interface Wrapped extends Span {
  readonly source: Span;
}

/** Readable text of Markdown with the way back to its source: a paragraph, also of a list or a quote, or a row of a table. */
export interface Prose {
  readonly kind: "paragraph" | "row";
  readonly text: string;
  /** The place in the source of each unit of the text; undefined where it is not written as it is read. */
  readonly places: readonly (number | undefined)[];
  /** Parts of the text that are plain words: neither links, nor code. */
  readonly plain: readonly Span[];
  /** Markup inside, outermost first: it goes when all of its text goes. */
  readonly wrapped: readonly Wrapped[];
  readonly source: Span;
  /** The blocks that hold it, innermost first: an item, its list, a quote. */
  readonly holders: readonly Holder[];
  /** Number of the section: 0 before the first heading. */
  readonly section: number;
  readonly heading: string;
}

export interface Holder extends Span {
  readonly type: "item" | "list" | "quote" | "table" | "other";
  readonly ordered: boolean;
}

/** The prose of Markdown in order. Headings and code are none; text that cannot be read as Markdown is taken line by line. */
export function proseOf(markdown: string): Prose[] {
  return proseIn(markdownTree(markdown), markdown);
}

/** The same for Markdown that has been parsed. */
export function proseIn(tree: Root | undefined, markdown: string): Prose[] {
  if (!tree) return linesOf(markdown);
  const found: Prose[] = [];
  let section = 0;
  let heading = "";
  const visit = (node: Nodes, holders: readonly Holder[]) => {
    if (node.type === "heading") {
      section += 1;
      heading = collect(node, markdown).text;
    } else if (node.type === "paragraph" || node.type === "tableRow")
      found.push(proseFrom(node, markdown, { holders, section, heading }));
    else if ("children" in node) {
      const inside = node.type === "root" ? holders : [holderOf(node), ...holders];
      // The first row of a table names its columns.
      const children = node.type === "table" ? node.children.slice(1) : node.children;
      for (const child of children) visit(child, inside);
    }
  };
  visit(tree, []);
  return found.filter(({ text }) => text.trim() !== "");
}

function proseFrom(
  node: Paragraph | TableRow,
  markdown: string,
  where: Pick<Prose, "holders" | "section" | "heading">,
): Prose {
  const kind = node.type === "tableRow" ? "row" : "paragraph";
  return { kind, ...collect(node, markdown), source: spanOf(node), ...where };
}

const holderTypes: Readonly<Record<string, Holder["type"]>> = {
  ...{ listItem: "item", list: "list", blockquote: "quote", table: "table" },
};

function holderOf(node: Parents): Holder {
  const ordered = node.type === "list" && node.ordered === true;
  return { ...spanOf(node), type: holderTypes[node.type] ?? "other", ordered };
}

function spanOf({ position }: Nodes): Span {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}

function collect(block: Parents, markdown: string): Pick<Prose, "text" | "places" | "plain" | "wrapped"> {
  let text = "";
  const places: (number | undefined)[] = [];
  const plain: Span[] = [];
  const wrapped: Wrapped[] = [];
  const add = (value: string, found: readonly (number | undefined)[] = []) => {
    for (let index = 0; index < value.length; index++) places.push(found[index]);
    text += value;
  };
  const visit = (node: Nodes, isPlain: boolean) => {
    const start = text.length;
    if (node.type === "text") {
      add(node.value.replaceAll("\n", " "), placesOf(node.value, markdown, spanOf(node)));
      if (isPlain) plain.push({ start, end: text.length });
    } else if (node.type === "inlineCode") {
      add(node.value);
      wrapped.push({ start, end: text.length, source: spanOf(node) });
    } else if (node.type === "break") add("\n");
    else if (node.type === "tableCell") {
      for (const child of node.children) visit(child, isPlain);
      add(" | ");
    } else if ("children" in node) {
      const at = wrapped.length;
      for (const child of node.children)
        visit(child, isPlain && node.type !== "link" && node.type !== "linkReference");
      wrapped.splice(at, 0, { start, end: text.length, source: spanOf(node) });
    }
  };
  for (const child of block.children) visit(child, true);
  const end = block.type === "tableRow" && text.endsWith(" | ") ? text.length - 3 : text.length;
  return { text: text.slice(0, end), places: places.slice(0, end), plain, wrapped };
}

/** Where each unit of a text stands in its source, past escapes, references and the marks of lists and quotes at line starts. */
function placesOf(value: string, markdown: string, { start, end }: Span): (number | undefined)[] {
  const places: (number | undefined)[] = [];
  let at = start;
  for (let index = 0; index < value.length; index++) {
    const wanted = value.charAt(index);
    if (wanted === "\n") {
      // Trailing spaces belong to the line end; marks at the start of the next line are not text.
      while (at < end && markdown[at] !== "\n") at += 1;
      places.push(at < end ? at : undefined);
      at += 1;
      const next = value.charAt(index + 1);
      while (at < end && markdown[at] !== next && /[\s>]/.test(markdown.charAt(at))) at += 1;
      continue;
    }
    const reference = referenceAt(markdown, at);
    if (reference !== undefined && !value.startsWith(reference, index)) {
      places.push(at);
      at += reference.length;
    } else if (markdown[at] === "\\" && markdown[at + 1] === wanted) {
      places.push(at);
      at += 2;
    } else if (markdown[at] === wanted) {
      places.push(at);
      at += 1;
    } else return value.split("").map(() => undefined);
  }
  return places;
}

/** A character reference such as `&amp;`. */
export function referenceAt(markdown: string, at: number): string | undefined {
  return markdown[at] === "&" ? /^&#?\w{1,31};/.exec(markdown.slice(at, at + 40))?.[0] : undefined;
}

function linesOf(markdown: string): Prose[] {
  let start = 0;
  return markdown.split("\n").flatMap((text) => {
    const source = { start, end: start + text.length };
    start = source.end + 1;
    if (text.trim() === "") return [];
    const places = Array.from({ length: text.length }, (_, index) => source.start + index);
    const kind = "paragraph" as const;
    return [{ kind, text, places, plain: [], wrapped: [], source, holders: [], section: 0, heading: "" }];
  });
}
