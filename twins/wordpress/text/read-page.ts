import type { MarkView } from "../../shared/index.ts";

/** What a reader sees of a page: text with marks, lists as lines, and the pictures by their addresses. */
export interface ReadPage {
  readonly text: string;
  readonly marks: readonly MarkView[];
  readonly images: readonly string[];
}

interface Element {
  readonly tag: string;
  readonly attributes: string;
  readonly children: Node[];
}
type Node = string | Element;

const blockTags = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre div figure figcaption section article details summary nav table tr".split(
    " ",
  ),
);
const voidTags = new Set(["br", "img", "hr", "input", "wbr"]);
const marksByTag: Readonly<Record<string, MarkView["type"]>> = {
  ...{ strong: "bold", b: "bold", em: "italic", i: "italic", u: "underline", s: "strike", del: "strike" },
  ...{ mark: "highlight", code: "code", pre: "pre", blockquote: "quote" },
  ...{ h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading" },
};

export function readPage(html: string): ReadPage {
  const images: string[] = [];
  const page = createPage();
  page.blocks(treeOf(html, images), "\n", "\n\n");
  return { ...page.finish(), images };
}

function createPage() {
  const marks: MarkView[] = [];
  let text = "";

  function marked({ tag, attributes }: Element, write: () => void): void {
    const offset = text.length;
    write();
    const length = text.length - offset;
    const href = tag === "a" ? attribute(attributes, "href") : undefined;
    const type = href === undefined ? marksByTag[tag] : "link";
    if (type && length > 0) marks.push({ type, offset, length, ...(href !== undefined && { url: href }) });
  }

  function line(nodes: readonly Node[], newline: string): void {
    for (const node of nodes) {
      if (typeof node === "string") text += node;
      else if (node.tag === "br") text += newline;
      else marked(node, () => line(node.children, newline));
    }
  }

  function list({ tag, attributes, children }: Element, newline: string): void {
    const first = Number(attribute(attributes, "start") ?? 1);
    const items = children.filter((child) => typeof child !== "string");
    for (const [index, item] of items.entries()) {
      if (index > 0) text += newline;
      text += tag === "ol" ? `${first + index}. ` : "• ";
      blocks(item.children, `${newline}   `, `${newline}   `);
    }
  }

  /** Rows are lines, and cells stand beside each other. */
  function table({ children }: Element, newline: string): void {
    for (const [index, row] of rowsIn(children).entries()) {
      if (index > 0) text += newline;
      const cells = row.children.filter((child) => typeof child !== "string");
      for (const [place, cell] of cells.entries()) {
        if (place > 0) text += " | ";
        line(cell.children, newline);
      }
    }
  }

  function block(element: Element, newline: string, between: string): void {
    const { tag, children } = element;
    if (tag === "ul" || tag === "ol") list(element, newline);
    else if (tag === "table") table(element, newline);
    else if (tag === "pre") marked(element, () => (text += wordsOf(children)));
    else marked(element, () => blocks(children, newline, between));
  }

  /** Neighbouring inline nodes form one block; blocks without text are dropped. */
  function blocks(nodes: readonly Node[], newline: string, between: string): void {
    const runs: (Element | Node[])[] = [];
    for (const node of nodes) {
      const last = runs.at(-1);
      if (typeof node !== "string" && blockTags.has(node.tag)) runs.push(node);
      else if (Array.isArray(last)) last.push(node);
      else runs.push([node]);
    }
    const seen = runs.filter((run) => wordsOf(Array.isArray(run) ? run : run.children) !== "");
    for (const [index, run] of seen.entries()) {
      if (index > 0) text += between;
      if (Array.isArray(run)) line(run, newline);
      else block(run, newline, between);
    }
  }

  const byPlace = (one: MarkView, other: MarkView) => one.offset - other.offset || other.length - one.length;
  return { blocks, finish: () => ({ text, marks: marks.toSorted(byPlace) }) };
}

const rowsIn = (nodes: readonly Node[]): Element[] =>
  nodes.flatMap((node) => {
    if (typeof node === "string") return [];
    return node.tag === "tr" ? [node] : rowsIn(node.children);
  });

const wordsOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : wordsOf(node.children))).join("");

/** Unclosed tags end with the page; scripts and styles are invisible. */
function treeOf(html: string, images: string[]): Node[] {
  const top: Element = { tag: "", attributes: "", children: [] };
  const open = [top];
  let silent: string | undefined;
  for (const piece of withoutComments(html).split(/(<[^<>]*>)/)) {
    const parent = open.at(-1) ?? top;
    const [, slash, name = ""] = /^<(\/?)([a-z0-9]+)/i.exec(piece) ?? [];
    const tag = name.toLowerCase();
    if (silent !== undefined) {
      if (slash && tag === silent) silent = undefined;
    } else if (tag === "") {
      const isKept = open.some((element) => element.tag === "pre");
      const words = isKept ? piece : piece.replace(/\n+/g, "");
      if (words !== "") parent.children.push(decoded(words));
    } else if (slash) {
      const from = open.findLastIndex((element) => element.tag === tag);
      if (from > 0) open.length = from;
    } else if (tag === "script" || tag === "style") silent = tag;
    else if (tag === "img") images.push(attribute(piece, "src") ?? "");
    else {
      const element = { tag, attributes: piece, children: [] };
      parent.children.push(element);
      if (!voidTags.has(tag)) open.push(element);
    }
  }
  return top.children;
}

const withoutComments = (html: string): string =>
  html
    .split("<!--")
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf("-->") + "-->".length)))
    .join("");

function attribute(tag: string, name: string): string | undefined {
  for (const [, key = "", double, single] of tag.matchAll(/\s([a-z-]{1,30})=(?:"([^"]*)"|'([^']*)')/gi))
    if (key.toLowerCase() === name) return decoded(double ?? single ?? "");
  return undefined;
}

const named: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  amp: "&",
};

function decoded(html: string): string {
  return html.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return named[String(name).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
