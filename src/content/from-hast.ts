import type { Element, Nodes, RootContent } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { blockTags, codeTags, decorations, groups, neutral, neverText } from "./allowed-tags.ts";
import { cleanText } from "./clean-text.ts";
import type { Block, Decoration, Document, Inline, ListItem, TableCell, TableRow } from "./document.ts";
import { inlinesOf, isBlank, paragraphsOf, trimInlines } from "./inlines.ts";
import { linkAddress } from "./link-address.ts";
import { linkTo } from "./link-to.ts";
import type { RepairLog } from "./problem.ts";

export interface Reading {
  readonly log: RepairLog;
  /** How a line end inside a paragraph is read: as a space in HTML, as a break in Markdown. */
  readonly paragraphLineEnds: "space" | "break";
}

interface Placed extends Reading {
  /** Ids of headings that were not read yet. */
  readonly waiting: Set<string>;
  /** Ids that jumps may lead to. */
  readonly places: ReadonlySet<string>;
}

/** Converts hast to a document. Only allowed elements become part of it. */
export function documentFromHast(tree: Nodes, reading: Reading): Document {
  const nodes = "children" in tree ? tree.children : [];
  const places = new Set(placesIn(nodes));
  return { blocks: blocksOf(nodes, { ...reading, places, waiting: new Set(places) }, "break") };
}

/** Ids of headings. Without recursion into text: parsers have limited the depth. */
function placesIn(nodes: readonly RootContent[]): string[] {
  return nodes.flatMap((node): string[] => {
    if (node.type !== "element") return [];
    const id = isHeadingTag(node.tagName) ? placeOf(node) : undefined;
    return [...(id === undefined ? [] : [id]), ...placesIn(node.children)];
  });
}

const isHeadingTag = (tagName: string): boolean => /^h[1-6]$/.test(tagName);

/** The parser's own heading of footnotes is no place of the author's. */
function placeOf({ properties: { id } }: Element): string | undefined {
  return typeof id === "string" && /^[\w-]{1,100}$/.test(id) && id !== "footnote-label" ? id : undefined;
}

type LineEnds = "space" | "break";

function blocksOf(nodes: readonly RootContent[], reading: Placed, lineEnds: LineEnds): Block[] {
  const blocks: Block[] = [];
  let run: Inline[] = [];
  const flush = () => {
    blocks.push(...paragraphsOf(trimInlines(run)));
    run = [];
  };
  for (const node of nodes) {
    const stood = node.type === "element" ? blockOf(node, reading) : undefined;
    if (stood) {
      flush();
      blocks.push(...stood);
    } else run.push(...inlineOf(node, reading, lineEnds));
  }
  flush();
  return blocks;
}

/** The blocks of an element, or undefined if it is not a block. */
function blockOf(element: Element, reading: Placed): Block[] | undefined {
  const { tagName } = element;
  const heading = /^h([1-6])$/.exec(tagName)?.[1];
  if (heading) {
    const children = trimInlines(inlinesIn(element, reading, "space"));
    const id = placeOf(element);
    // Of two headings with one id, browsers find the first.
    const isPlace = id !== undefined && reading.waiting.delete(id);
    return isBlank(children)
      ? []
      : [{ type: "heading", level: Number(heading), ...(isPlace && { id }), children }];
  }
  if (tagName === "nav" && isContents(element)) {
    const blocks = blocksOf(element.children, reading, reading.paragraphLineEnds);
    return blocks.length === 0 ? [] : [{ type: "contents", blocks }];
  }
  if (tagName === "p" || groups.has(tagName))
    return blocksOf(element.children, reading, reading.paragraphLineEnds);
  if (tagName === "ul" || tagName === "ol") return listOf(element, reading);
  if (tagName === "blockquote") return quoteOf(element, reading);
  if (tagName === "pre") return [preOf(element, reading)];
  if (tagName === "table") return tableOf(element, reading);
  if (tagName === "img") return shownMedium(element);
  if (tagName === "hr") {
    reading.log.add("rule_dropped", offsetOf(element));
    return [];
  }
  return undefined;
}

/** A navigation that leads nowhere but to places of the same text. */
function isContents(nav: Element): boolean {
  const links = descendants(nav, "a");
  return links.length > 0 && links.every(({ properties: { href } }) => String(href).startsWith("#"));
}

function listOf(element: Element, reading: Placed): Block[] {
  const items = element.children
    .filter((child) => child.type === "element")
    .map((child): ListItem => ({ blocks: blocksOf(child.children, reading, reading.paragraphLineEnds) }))
    .filter((item) => item.blocks.length > 0);
  const start = Number(element.properties.start ?? 1);
  const ordered = element.tagName === "ol";
  return items.length === 0
    ? []
    : [{ type: "list", ordered, start: Number.isSafeInteger(start) ? start : 1, items }];
}

function quoteOf(element: Element, reading: Placed): Block[] {
  const blocks = blocksOf(element.children, reading, "break");
  const expandable = element.properties.expandable !== undefined;
  return blocks.length === 0 ? [] : [{ type: "quote", expandable, blocks }];
}

function preOf(element: Element, reading: Placed): Block {
  const code = element.children.find((child) => child.type === "element" && child.tagName === "code");
  const classes = code?.type === "element" ? code.properties.className : undefined;
  const named = Array.isArray(classes)
    ? classes.find((name) => /^language-[\w#+.-]{1,30}$/.test(String(name)))
    : undefined;
  const text = cleaned(textOf(element), element, reading).replace(/^\n+/, "").trimEnd();
  return { type: "pre", text, ...(named && { language: String(named).slice("language-".length) }) };
}

function tableOf(element: Element, reading: Placed): Block[] {
  const rowsIn = (nodes: readonly Element[]) =>
    nodes.map((row) => rowOf(row, reading)).filter((row) => row.some(({ children }) => !isBlank(children)));
  const inHead = new Set(descendants(element, "thead").flatMap((part) => descendants(part, "tr")));
  const all = descendants(element, "tr");
  const head = rowsIn(all.filter((row) => inHead.has(row)));
  const rows = rowsIn(all.filter((row) => !inHead.has(row)));
  return head.length + rows.length === 0 ? [] : [{ type: "table", head, rows }];
}

function rowOf(row: Element, reading: Placed): TableRow {
  return row.children
    .filter((cell) => cell.type === "element")
    .map((cell): TableCell => {
      const columns = spanOf(cell.properties.colSpan);
      const rows = spanOf(cell.properties.rowSpan);
      return {
        isHeader: cell.tagName === "th",
        ...(columns > 1 && { columns }),
        ...(rows > 1 && { rows }),
        children: trimInlines(inlinesIn(cell, reading, "space")),
      };
    });
}

const widestSpan = 100;

function spanOf(value: unknown): number {
  const span = Number(value ?? 1);
  return Number.isInteger(span) && span >= 1 && span <= widestSpan ? span : 1;
}

function inlinesIn(element: Element, reading: Placed, lineEnds: LineEnds): Inline[] {
  return element.children.flatMap((child) => inlineOf(child, reading, lineEnds));
}

function inlineOf(node: RootContent, reading: Placed, lineEnds: LineEnds): Inline[] {
  if (node.type === "text") return textInlines(cleaned(node.value, node, reading), lineEnds);
  if (node.type !== "element") return [];
  const { tagName } = node;
  const inside = () => inlinesIn(node, reading, lineEnds);
  const decoration = decorationOf(node);
  if (decoration) return decorated(decoration, inside());
  if (tagName === "br") return [{ type: "break" }];
  if (codeTags.has(tagName)) return codeOf(node, reading);
  if (tagName === "a") return linkOf(node, reading, inside());
  if (tagName === "img") return imageOf(node, reading);
  if (tagName === "tg-emoji") return emojiOf(node, reading);
  if (isCheckbox(node)) return [{ type: "text", text: node.properties.checked ? "☑" : "☐" }];
  if (neverText.has(tagName)) {
    reading.log.add("content_dropped", offsetOf(node));
    return [];
  }
  // A block inside inline markup becomes inline, but keeps its lines.
  if (groups.has(tagName) || blockTags.has(tagName))
    return [{ type: "break" }, ...inside(), { type: "break" }];
  if (!neutral.has(tagName)) reading.log.add("tag_dropped", offsetOf(node));
  return inside();
}

function decorationOf(element: Element): Decoration | undefined {
  const classes = element.properties.className;
  if (element.tagName === "span" && Array.isArray(classes) && classes.includes("tg-spoiler"))
    return "spoiler";
  return decorations.get(element.tagName);
}

function decorated(type: Decoration, children: Inline[]): Inline[] {
  return isBlank(children) ? children : [{ type, children }];
}

function codeOf(element: Element, reading: Placed): Inline[] {
  const text = cleaned(textOf(element), element, reading);
  return text.trim() === "" ? [{ type: "text", text }] : [{ type: "code", text }];
}

function linkOf(element: Element, reading: Placed, children: Inline[]): Inline[] {
  const href = element.properties.href;
  if (element.properties.dataFootnoteBackref !== undefined) return [];
  if (element.properties.dataFootnoteRef !== undefined) {
    return [{ type: "text", text: "[" }, ...children, { type: "text", text: "]" }];
  }
  if (typeof href !== "string") return children;
  const place = href.startsWith("#") ? href.slice(1) : undefined;
  if (place !== undefined && reading.places.has(place) && !isBlank(children))
    return [{ type: "jump", id: place, children }];
  return linkTo(href, children, reading.log, offsetOf(element));
}

function imageOf(element: Element, reading: Placed): Inline[] {
  const { src, alt } = element.properties;
  const address = linkAddress(typeof src === "string" ? src : "");
  const described = typeof alt === "string" ? cleaned(alt, element, reading).trim() : "";
  if (address.kind !== "link") {
    reading.log.add("image_dropped", offsetOf(element));
    return described === "" ? [] : [{ type: "text", text: described }];
  }
  reading.log.add("image_as_link", offsetOf(element));
  return [{ type: "link", url: address.url, children: [{ type: "text", text: described || address.url }] }];
}

/** `<img src="media:0">` shows the first of the post's media; any other picture becomes a link. */
function shownMedium({ properties: { src } }: Element): Block[] | undefined {
  const [, place] = /^media:(\d{1,3})$/.exec(typeof src === "string" ? src : "") ?? [];
  return place === undefined ? undefined : [{ type: "image", media: Number(place) }];
}

function emojiOf(element: Element, reading: Placed): Inline[] {
  const id = element.properties.emojiId ?? element.properties["emoji-id"];
  const text = cleaned(textOf(element), element, reading);
  if (typeof id === "string" && /^\d{1,20}$/.test(id) && text.trim() !== "")
    return [{ type: "emoji", id, text }];
  reading.log.add("tag_dropped", offsetOf(element));
  return [{ type: "text", text }];
}

/** The beginning of a task in a Markdown list. */
function isCheckbox(element: Element): boolean {
  return element.tagName === "input" && element.properties.type === "checkbox";
}

function textInlines(text: string, lineEnds: LineEnds): Inline[] {
  return inlinesOf(lineEnds === "space" ? text.replace(/[ \t\n]+/g, " ") : text);
}

function cleaned(text: string, node: Nodes, reading: Placed): string {
  const start = offsetOf(node);
  return cleanText(text, (index) =>
    reading.log.add("characters_removed", start === undefined ? undefined : start + index),
  );
}

function offsetOf(node: Nodes): number | undefined {
  return node.position?.start.offset;
}

function descendants(element: Element, tagName: string): Element[] {
  return element.children
    .filter((child) => child.type === "element")
    .flatMap((child) => (child.tagName === tagName ? [child] : descendants(child, tagName)));
}
