import {
  type Block,
  createLossLog,
  type Decoration,
  type Document,
  type Inline,
  type List,
  type Loss,
  type LossLog,
  schemeOf,
  tableLines,
} from "../content/index.ts";
import type { TelegraphElement, TelegraphNode, TelegraphTag } from "./nodes.ts";

/** A picture of an article at a public address: Telegraph stores no files. */
export interface ArticlePicture {
  readonly url: string;
  readonly alt?: string;
  readonly caption?: string;
}

export interface Nodes {
  readonly nodes: readonly TelegraphNode[];
  /** What Telegraph cannot show, and what is shown instead. */
  readonly losses: readonly Loss[];
}

/** An article as Telegraph shows it: the first picture above the text, the others below it. */
export function toNodes(document: Document, pictures: readonly ArticlePicture[]): Nodes {
  const losses = createLossLog();
  const [cover, ...others] = pictures.flatMap((picture) => figureOf(picture, losses));
  const levels = new Set(headingLevels(document.blocks));
  // Telegraph has two sizes: 1 and 2 share the larger, all others the smaller.
  if ((levels.has(1) && levels.has(2)) || [...levels].filter((level) => level > 2).length > 1)
    losses.add("heading_level");
  const text = document.blocks.flatMap((block) => nodesOf(block, { losses, inQuote: false }));
  return { nodes: [...(cover ? [cover] : []), ...text, ...others], losses: losses.losses };
}

interface Place {
  readonly losses: LossLog;
  readonly inQuote: boolean;
}

function nodesOf(block: Block, place: Place): TelegraphNode[] {
  switch (block.type) {
    case "paragraph": {
      const children = inlinesOf(block.children, place.losses);
      // Empty paragraphs add space in messages; a page has its own spacing.
      return children.length > 0 ? [element("p", children)] : [];
    }
    case "heading":
      return [element(block.level <= 2 ? "h3" : "h4", inlinesOf(block.children, place.losses))];
    case "list":
      return [listOf(block, place)];
    case "quote":
      return quoteOf(block, place);
    case "image":
      place.losses.add("image_apart");
      return [];
    case "contents":
      place.losses.add("contents_left_out");
      return [];
    case "table":
      place.losses.add("table_as_lines");
      return [element("p", inlinesOf(tableLines(block), place.losses))];
    case "pre":
      if (block.language !== undefined) place.losses.add("code_language");
      return [element("pre", [block.text])];
  }
}

function listOf(list: List, place: Place): TelegraphElement {
  if (list.ordered && list.start !== 1) place.losses.add("list_from_one");
  const items = list.items.map(({ blocks }) => element("li", itemOf(blocks, place)));
  return element(list.ordered ? "ol" : "ul", items);
}

/** Paragraphs of an item become its lines; other blocks are nested. */
function itemOf(blocks: readonly Block[], place: Place): TelegraphNode[] {
  return blocks.flatMap((block, index) => {
    if (block.type !== "paragraph") return nodesOf(block, place);
    const line = inlinesOf(block.children, place.losses);
    return index === 0 ? line : [element("br"), ...line];
  });
}

function quoteOf(quote: Extract<Block, { type: "quote" }>, { losses, inQuote }: Place): TelegraphNode[] {
  if (quote.expandable) losses.add("quote_not_expandable");
  const children = quote.blocks.flatMap((block) => nodesOf(block, { losses, inQuote: true }));
  if (!inQuote) return [element("blockquote", children)];
  losses.add("quote_in_quote");
  return children;
}

function inlinesOf(inlines: readonly Inline[], losses: LossLog): TelegraphNode[] {
  return inlines.flatMap((inline) => inlineOf(inline, losses));
}

const decorations: Readonly<Partial<Record<Decoration, TelegraphTag>>> = {
  ...{ bold: "b", italic: "i", underline: "u", strike: "s" },
};

function inlineOf(inline: Inline, losses: LossLog): TelegraphNode[] {
  switch (inline.type) {
    case "text":
      return inline.text === "" ? [] : [inline.text];
    case "break":
      return [element("br")];
    case "code":
      return [element("code", [inline.text])];
    case "emoji":
      losses.add("emoji_as_text");
      return [inline.text];
    case "mention":
      losses.add("mention_as_text");
      return inlinesOf(inline.children, losses);
    case "jump":
      losses.add("jump_as_text");
      return inlinesOf(inline.children, losses);
    case "link":
      return linkOf(inline, losses);
    default: {
      const children = inlinesOf(inline.children, losses);
      const tag = decorations[inline.type];
      if (tag !== undefined) return [element(tag, children)];
      losses.add(inline.type === "spoiler" ? "spoiler_shown" : "highlight_as_text");
      return children;
    }
  }
}

const linkSchemes = new Set(["http:", "https:", "mailto:", "tel:", "tg:"]);

/** Where a link is not possible, the address is shown as text. */
function linkOf({ url, children }: Extract<Inline, { type: "link" }>, losses: LossLog): TelegraphNode[] {
  const inside = inlinesOf(children, losses);
  if (linkSchemes.has(schemeOf(url))) return [{ tag: "a", attrs: { href: url }, children: inside }];
  losses.add("link_as_text");
  return [...inside, ` (${url})`];
}

/** Browsers fetch pictures themselves, so one without a web address cannot be shown. */
function figureOf({ url, alt, caption = "" }: ArticlePicture, losses: LossLog): TelegraphElement[] {
  if (!["http:", "https:"].includes(schemeOf(url))) {
    losses.add("picture_left_out");
    return [];
  }
  if (alt) losses.add("alt_text");
  const picture: TelegraphElement = { tag: "img", attrs: { src: url } };
  return [
    element("figure", caption.trim() === "" ? [picture] : [picture, element("figcaption", [caption.trim()])]),
  ];
}

function headingLevels(blocks: readonly Block[]): number[] {
  return blocks.flatMap((block) => {
    if (block.type === "heading") return [block.level];
    if (block.type === "quote") return headingLevels(block.blocks);
    return block.type === "list" ? block.items.flatMap((item) => headingLevels(item.blocks)) : [];
  });
}

function element(tag: TelegraphTag, children?: readonly TelegraphNode[]): TelegraphElement {
  return { tag, ...(children && { children }) };
}
