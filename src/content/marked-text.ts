import type { Block, Decoration, Document, Inline, List, Network } from "./document.ts";
import { schemeOf } from "./link-address.ts";
import type { LossLog } from "./losses.ts";
import { createMarkedTextWriter, type MarkedTextWriter } from "./marked-text-writer.ts";
import { tableLines } from "./table-lines.ts";

/**
 * A document as one text with marks over it: what messengers show. Lists become lines; everything else is a mark that a
 * platform uses as it is, converts or drops.
 */
export interface MarkedText {
  readonly text: string;
  /** Sorted by offset, the longer first. Marks never overlap partly, and none is empty. */
  readonly marks: readonly Mark[];
}

/** Offset and length are UTF-16 units. */
export interface Mark {
  readonly kind: MarkKind;
  readonly offset: number;
  readonly length: number;
}

export type MarkKind =
  | { readonly type: Decoration | "code" }
  | { readonly type: "pre"; readonly language?: string }
  | { readonly type: "link"; readonly url: string }
  | { readonly type: "mention"; readonly network: Network; readonly userId: string }
  | { readonly type: "emoji"; readonly id: string }
  | { readonly type: "heading"; readonly level: number }
  | { readonly type: "quote"; readonly expandable: boolean };

export interface MarkedTextOptions {
  readonly losses: LossLog;
  /** Schemes that the platform allows in links, such as `https:`. */
  readonly linkSchemes: ReadonlySet<string>;
}

export function markedTextOf(document: Document, options: MarkedTextOptions): MarkedText {
  const writer = createMarkedTextWriter();
  writeBlocks(document.blocks, { ...options, writer, newline: "\n", betweenBlocks: "\n\n" });
  return writer.finish();
}

interface Writing extends MarkedTextOptions {
  readonly writer: MarkedTextWriter;
  /** A line end, with the indent of its list. */
  readonly newline: string;
  readonly betweenBlocks: string;
}

function writeBlocks(blocks: readonly Block[], writing: Writing): void {
  const written = blocks.filter(({ type }) => type !== "image" && type !== "contents");
  if (blocks.some(({ type }) => type === "image")) writing.losses.add("image_apart");
  if (blocks.some(({ type }) => type === "contents")) writing.losses.add("contents_left_out");
  written.forEach((block, index) => {
    if (index > 0) writing.writer.write(writing.betweenBlocks);
    writeBlock(block, writing);
  });
}

function writeBlock(block: Block, writing: Writing): void {
  const { writer } = writing;
  if (block.type === "list") writeList(block, writing);
  else if (block.type === "paragraph") writeInlines(block.children, writing);
  else if (block.type === "table") {
    writing.losses.add("table_as_lines");
    writeInlines(tableLines(block), writing);
  } else if (block.type === "pre") {
    const language = block.language === undefined ? {} : { language: block.language };
    writer.marked({ type: "pre", ...language }, () => writer.write(block.text));
  } else if (block.type === "heading") {
    writer.marked({ type: "heading", level: block.level }, () => writeInlines(block.children, writing));
  } else if (block.type === "quote") {
    if (writer.isOpen("quote")) writing.losses.add("quote_in_quote");
    writer.marked({ type: "quote", expandable: block.expandable }, () => writeBlocks(block.blocks, writing));
  }
}

const indentStep = "   ";

function writeList(list: List, writing: Writing): void {
  writing.losses.add("list_as_bullets");
  const newline = writing.newline + indentStep;
  list.items.forEach((item, index) => {
    if (index > 0) writing.writer.write(writing.newline);
    writing.writer.write(list.ordered ? `${list.start + index}. ` : "• ");
    writeBlocks(item.blocks, { ...writing, newline, betweenBlocks: newline });
  });
}

function writeInlines(inlines: readonly Inline[], writing: Writing): void {
  for (const inline of inlines) writeInline(inline, writing);
}

function writeInline(inline: Inline, writing: Writing): void {
  const { writer } = writing;
  if (inline.type === "break") writer.write(writing.newline);
  else if (inline.type === "text") writer.write(inline.text);
  else if (inline.type === "link") writeLink(inline, writing);
  else if (inline.type === "jump") {
    writing.losses.add("jump_as_text");
    writeInlines(inline.children, writing);
  } else if (inline.type === "code") writer.marked({ type: "code" }, () => writer.write(inline.text));
  else if (inline.type === "emoji") {
    writer.marked({ type: "emoji", id: inline.id }, () => writer.write(inline.text));
  } else if (inline.type === "mention") {
    const { network, userId, children } = inline;
    writer.marked({ type: "mention", network, userId }, () => writeInlines(children, writing));
  } else writer.marked({ type: inline.type }, () => writeInlines(inline.children, writing));
}

/** Where links are not possible, the address follows the text, unless the text already has it. */
function writeLink(link: Extract<Inline, { type: "link" }>, writing: Writing): void {
  const { writer } = writing;
  const children = () => writeInlines(link.children, writing);
  if (writing.linkSchemes.has(schemeOf(link.url))) {
    writer.marked({ type: "link", url: link.url }, children);
    return;
  }
  writing.losses.add("link_as_text");
  const start = writer.length();
  children();
  const address = link.url.replace(/^(?:mailto|tel):/i, "");
  if (!writer.since(start).includes(address)) writer.write(` (${address})`);
}
