import { cut } from "../../../kernel/words/index.ts";
import { escapeHtml } from "./escape-html.ts";
import { attribute, type Token, tokensOf } from "./tokens.ts";
import { webAddress } from "./web-address.ts";

/** HTML of a feed reduced to what a post may contain: allowed tags only, closed, without attributes, cut to a length. */
export interface CleanHtml {
  readonly html: string;
  /** Addresses of the images in it, in order. */
  readonly images: readonly string[];
}

export interface CleanOptions {
  /** The base of relative addresses. */
  readonly base: string | undefined;
  /** The most visible characters; a longer text is cut at a word and gets an ellipsis. */
  readonly longest: number;
}

/** How much of one item is read; no post is that long. */
const longestSource = 100_000;
/** Readers need no deeper nesting, and later stages recurse. */
const deepest = 30;
const mostImages = 20;

/** Tag in → tag out. Other tags are removed, and their text stays. */
const keptTags: ReadonlyMap<string, string> = new Map([
  ...["p", "ul", "ol", "li", "blockquote", "pre", "code", "table", "tr", "td", "th", "a"].map(same),
  ...["b", "i", "u", "s", "h1", "h2", "h3", "h4", "h5", "h6"].map(same),
  ["strong", "b"],
  ["em", "i"],
  ["cite", "i"],
  ["ins", "u"],
  ["del", "s"],
  ["strike", "s"],
  ...["div", "section", "article", "header", "footer", "figure", "figcaption", "details"].map(division),
  ...["dl", "dt", "dd"].map(division),
]);

/** Elements that end where one of these begins, because their end tag is often left out. */
const endedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "p",
    new Set(["p", "div", "ul", "ol", "li", "blockquote", "pre", "table", "h1", "h2", "h3", "h4", "h5", "h6"]),
  ],
  ["li", new Set(["li"])],
  ["tr", new Set(["tr"])],
  ["td", new Set(["td", "th", "tr"])],
  ["th", new Set(["td", "th", "tr"])],
  ["a", new Set(["a"])],
]);
/** A tag inside one of these does not end an element outside of it. */
const walls = new Set(["ul", "ol", "table", "blockquote", "div"]);

export function cleanHtml(source: string, { base, longest }: CleanOptions): CleanHtml {
  const writer: Writer = {
    base,
    parts: [],
    open: [],
    images: [],
    left: longest,
    // In bare text line ends are intended; inside markup a line end is a space.
    keepLines: !/<(p|br|div|li|tr|h[1-6]|blockquote)\b/i.test(source),
  };
  for (const token of tokensOf(cut(source, longestSource))) write(token, writer);
  closeFrom(0, writer);
  return { html: trimmed(writer.parts.join("")), images: writer.images };
}

interface Writer {
  readonly base: string | undefined;
  readonly parts: string[];
  readonly open: OpenElement[];
  readonly images: string[];
  readonly keepLines: boolean;
  /** How many visible characters still fit; negative once something was cut. */
  left: number;
}

interface OpenElement {
  readonly tag: string;
  /** The index in `parts` at which it begins. */
  readonly at: number;
  hasText: boolean;
}

function write(token: Token, writer: Writer): void {
  if (token.kind === "text") writeText(token.text, writer);
  // Images are collected even after the cut: a picture below a long text still belongs to the item.
  else if (token.tag === "img") collectImage(token.attributes, writer);
  else if (token.tag === "br") writeBreak(writer);
  else writeTag(token, writer);
}

function writeTag(token: Exclude<Token, { kind: "text" }>, writer: Writer): void {
  const tag = keptTags.get(token.tag);
  if (!tag || (isPreformatted(writer) && tag !== "pre")) return;
  if (token.kind === "close")
    closeFrom(
      writer.open.findLastIndex((each) => each.tag === tag),
      writer,
    );
  else openElement(tag, token.attributes, writer);
}

function openElement(tag: string, attributes: string, writer: Writer): void {
  const { open, parts } = writer;
  const wall = open.findLastIndex((each) => walls.has(each.tag));
  const ended = open.findIndex((each, at) => at > wall && endedBy.get(each.tag)?.has(tag));
  closeFrom(ended, writer);
  if (writer.left < 0 || open.length >= deepest) return;
  const opening = tag === "a" ? linkTo(attributes, writer) : `<${tag}>`;
  if (!opening) return;
  open.push({ tag, at: parts.length, hasText: false });
  parts.push(opening);
}

/** Closes this element and everything inside it; elements without text lose their tag and keep their spaces. */
function closeFrom(place: number, { open, parts }: Writer): void {
  if (place < 0) return;
  for (const element of open.splice(place).reverse()) {
    if (element.hasText) parts.push(`</${element.tag}>`);
    else parts.splice(element.at, 1);
  }
}

function linkTo(attributes: string, { base }: Writer): string | undefined {
  const url = webAddress(attribute("href", attributes), base);
  return url && `<a href="${escapeHtml(url)}">`;
}

function writeText(value: string, writer: Writer): void {
  if (writer.left < 0 || value === "") return;
  const asIs = writer.keepLines || isPreformatted(writer);
  const text = asIs ? value : value.replace(/\s+/g, " ");
  const fits = text.length <= writer.left;
  const shown = fits ? text : cutAtWord(text, writer.left);
  writer.left = fits ? writer.left - text.length : -1;
  if (shown.trim() !== "") for (const element of writer.open) element.hasText = true;
  writer.parts.push(escapeHtml(shown));
}

function writeBreak(writer: Writer): void {
  if (isPreformatted(writer)) writeText("\n", writer);
  else if (writer.left >= 0) writer.parts.push("<br>");
}

function isPreformatted({ open }: Writer): boolean {
  return open.at(-1)?.tag === "pre";
}

/** No real word is longer; an address or a hash that is longer is cut at the limit. */
const longestWord = 40;

/** Cuts at the end of a word, and never inside a character. */
function cutAtWord(text: string, longest: number): string {
  const head = cut(text, longest);
  const words = /^[\s\S]*(?=\s)/.exec(`${head}${text[head.length] ?? ""}`)?.[0] ?? "";
  const kept = head.length - words.length <= longestWord && words.trim() !== "" ? words : head;
  const withoutComma = kept.trimEnd().replace(/[,;:—–-]{1,3}$/, "");
  return `${withoutComma.trimEnd()}…`;
}

function collectImage(attributes: string, { base, images }: Writer): void {
  if (images.length >= mostImages) return;
  const isPixel = ["width", "height"].some((side) => Number(attribute(side, attributes) ?? 100) <= 2);
  const url = isPixel ? undefined : webAddress(attribute("src", attributes), base);
  if (url && !images.includes(url)) images.push(url);
}

/** Removes empty lines at the edges and collapses several in a row into one. */
function trimmed(html: string): string {
  const short = html.replace(/(?:<br>\s*){3,}/g, "<br><br>").trim();
  return short.replace(/^(?:<br>\s*)+|(?:<br>\s*){1,2}$/g, "").trim();
}

function division(name: string): readonly [string, string] {
  return [name, "div"];
}

function same(name: string): readonly [string, string] {
  return [name, name];
}
