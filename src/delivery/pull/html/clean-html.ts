import { cut } from "../../../kernel/words/index.ts";
import { escapeHtml } from "./escape-html.ts";
import { attribute, type Token, tokensOf } from "./tokens.ts";
import { webAddress } from "./web-address.ts";

/** HTML of a feed as a post may carry it: allowed tags only, closed, without attributes, cut to a length. */
export interface CleanHtml {
  readonly html: string;
  /** Addresses of the images that stood in it, in order. */
  readonly images: readonly string[];
}

export interface CleanOptions {
  /** Completes relative addresses. */
  readonly base: string | undefined;
  /** Visible characters at most; what is longer ends at a word, and an ellipsis follows. */
  readonly longest: number;
}

/** What is read of one item at most: no post is that long. */
const longestSource = 100_000;
/** Readers need no more, and those that come after us recurse. */
const deepest = 30;
const mostImages = 20;

/** Tag in → tag out. Everything else that is text loses its tag and keeps its text. */
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

/** Elements that end where one of these begins: their own end is often left out. */
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
/** Nothing that lies outside of these ends inside of them. */
const walls = new Set(["ul", "ol", "table", "blockquote", "div"]);

export function cleanHtml(source: string, { base, longest }: CleanOptions): CleanHtml {
  const writer: Writer = {
    base,
    parts: [],
    open: [],
    images: [],
    left: longest,
    // Bare text of several lines has them on purpose; inside markup a line end is a space.
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
  /** Visible characters that still fit; below zero once something was cut off. */
  left: number;
}

interface OpenElement {
  readonly tag: string;
  /** Where in `parts` it begins. */
  readonly at: number;
  hasText: boolean;
}

function write(token: Token, writer: Writer): void {
  if (token.kind === "text") writeText(token.text, writer);
  // Images are collected even past the cut: a picture below a long text is still the item's picture.
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

/** Closes this element and all inside it; one without text leaves nothing but spaces. */
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

/** No word of a language is longer; what is, an address or a hash, is cut where the room ends. */
const longestWord = 40;

/** At the end of a word, and never in the middle of a character. */
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

/** Empty lines at the edges go, and more than one in a row becomes one. */
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
