import type { Element, Nodes, Root } from "hast";
import { parseHast } from "../../content/index.ts";
import { plainly } from "../language/index.ts";

/** A piece of text that a reader sees as one. */
export interface Block {
  readonly kind: "heading" | "paragraph" | "item" | "cell" | "quote";
  /** Of a heading. */
  readonly level: number;
  readonly text: string;
}

export interface ArticleText {
  readonly blocks: readonly Block[];
  readonly links: readonly string[];
  readonly images: readonly { readonly alt: string }[];
  /** Numbers of items of each list, contents left out. */
  readonly lists: readonly number[];
  readonly tables: number;
  /** Types of schema.org that the page declares. */
  readonly schemaTypes: readonly string[];
  /** Whether it has contents: links to its own headings. */
  readonly contents: boolean;
  /** Why the markup was read as plain text, if it was (E47). */
  readonly unreadable?: string;
}

const skipped = new Set([
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "button",
  "form",
  "input",
]);
const textBlocks = new Map<string, Block["kind"]>([
  ["p", "paragraph"],
  ["li", "item"],
  ["dt", "item"],
  ["dd", "paragraph"],
  ["td", "cell"],
  ["th", "cell"],
  ["blockquote", "quote"],
  ["figcaption", "cell"],
  ["pre", "cell"],
]);
/** Elements that begin a new block without being one. */
const containers = new Set([
  ...["div", "section", "article", "main", "header", "footer", "aside", "ul", "ol", "dl", "table", "thead"],
  ...["tbody", "tr", "figure", "nav", "details", "summary", "hr", "html", "body"],
]);
/** Fewer links to own headings are no contents. */
const leastContents = 3;

/** Reads Markdown or HTML. What cannot be parsed is read as plain text, paragraph by paragraph. */
export function readArticle(source: string, format: "markdown" | "html"): ArticleText {
  const parsed = parseHast(source, format);
  return parsed.ok ? fromTree(parsed.tree) : fromPlain(source, parsed.error.message);
}

/** Reads a page that is a tree already: the same as its HTML, which would have to be parsed. */
export const readTree = (tree: Root): ArticleText => fromTree(tree);

function fromPlain(source: string, unreadable: string): ArticleText {
  const blocks = source
    .split(/\n[^\S\n]*\n/)
    .map((part): Block => ({ kind: "paragraph", level: 0, text: plainly(part) }))
    .filter((block) => block.text !== "");
  const nothing = { links: [], images: [], lists: [], tables: 0, schemaTypes: [], contents: false };
  return { ...nothing, blocks, unreadable };
}

function fromTree(tree: Root): ArticleText {
  const blocks: Block[] = [];
  const links: string[] = [];
  const images: { alt: string }[] = [];
  const lists: number[] = [];
  const schemaTypes: string[] = [];
  let tables = 0;
  let contents = false;
  let pieces: string[] = [];

  const flush = (kind: Block["kind"], level = 0) => {
    const text = plainly(pieces.join(""));
    if (text !== "") blocks.push({ kind, level, text });
    pieces = [];
  };

  const walk = (node: Nodes, kind: Block["kind"]): void => {
    if (node.type === "text") {
      pieces.push(node.value);
      return;
    }
    if (node.type !== "element" && node.type !== "root") return;
    if (node.type === "root") {
      for (const child of node.children) walk(child, kind);
      return;
    }
    element(node, kind);
  };

  const element = (node: Element, kind: Block["kind"]): void => {
    const { tagName, properties } = node;
    if (tagName === "script") {
      if (properties.type === "application/ld+json") schemaTypes.push(...typesIn(rawText(node)));
      return;
    }
    if (skipped.has(tagName)) return;
    if (tagName === "br") {
      pieces.push(" ");
      return;
    }
    if (tagName === "img") {
      images.push({ alt: typeof properties.alt === "string" ? properties.alt.trim() : "" });
      return;
    }
    if (tagName === "nav" || tagName === "ul" || tagName === "ol") {
      const own = ownLinks(node);
      if (own.anchors >= leastContents && own.anchors === own.links) {
        contents = true;
        flush(kind);
        return;
      }
    }
    if (tagName === "ul" || tagName === "ol") lists.push(itemsOf(node));
    if (tagName === "table") tables++;
    if (tagName === "a" && typeof properties.href === "string" && !properties.href.startsWith("#"))
      links.push(properties.href);
    const heading = /^h([1-6])$/.exec(tagName)?.[1];
    const own = textBlocks.get(tagName);
    if (heading === undefined && own === undefined && !containers.has(tagName)) {
      for (const child of node.children) walk(child, kind);
      return;
    }
    flush(kind);
    // Paragraphs within an item or a quotation belong to it.
    const inner = own === "paragraph" && kind !== "paragraph" ? kind : (own ?? (heading ? "heading" : kind));
    for (const child of node.children) walk(child, inner);
    flush(heading ? "heading" : inner, Number(heading ?? 0));
  };

  walk(tree, "paragraph");
  flush("paragraph");
  return {
    blocks: withoutContentsHeading(blocks, contents),
    links,
    images,
    lists,
    tables,
    schemaTypes,
    contents,
  };
}

/** «Содержание» above the contents is no section of the text. */
function withoutContentsHeading(blocks: readonly Block[], contents: boolean): Block[] {
  return blocks.filter(
    ({ kind, text }) => !contents || kind === "cell" || !/^(?:содержание|оглавление)[.:]?$/i.test(text),
  );
}

function itemsOf(list: Element): number {
  return list.children.filter((child) => child.type === "element" && child.tagName === "li").length;
}

/** Links inside an element, and those of them that lead to a heading of the same page. */
function ownLinks(node: Element): { links: number; anchors: number } {
  let links = 0;
  let anchors = 0;
  const count = (element: Element) => {
    if (element.tagName === "a") {
      links++;
      if (String(element.properties.href ?? "").startsWith("#")) anchors++;
      return;
    }
    for (const child of element.children) if (child.type === "element") count(child);
  };
  count(node);
  return { links, anchors };
}

function rawText(node: Element): string {
  return node.children.map((child) => (child.type === "text" ? child.value : "")).join("");
}

/** The types of JSON-LD, at its top and in its graph. Broken JSON declares nothing. */
function typesIn(json: string): string[] {
  try {
    const data: unknown = JSON.parse(json);
    return (Array.isArray(data) ? data : [data]).flatMap((each) => [
      ...typeOf(each),
      ...(isRecord(each) && Array.isArray(each["@graph"]) ? each["@graph"].flatMap(typeOf) : []),
    ]);
  } catch {
    return [];
  }
}

function typeOf(each: unknown): string[] {
  if (!isRecord(each)) return [];
  const type = each["@type"];
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
