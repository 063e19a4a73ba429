import { type Block, type Document, type Inline, type Post, plainText } from "../../content/index.ts";

/** A title is one line; search results show about this many characters. */
const longestTitle = 80;

export interface Titled {
  readonly title: string;
  readonly document: Document;
}

/**
 * The title of a post and the text below it. An article has its own title, and a heading that repeats it is dropped. In
 * other posts a heading or a bold line at the beginning becomes the title; else the title is the beginning of the text,
 * which stays whole.
 */
export function titled({ article, document, media }: Post): Titled {
  const [first, ...rest] = document.blocks;
  const heading = first && isHeading(first) ? textOf(first) : undefined;
  const below = { blocks: rest };
  if (article) {
    const repeats = heading !== undefined && sameWords(heading, article.title);
    return { title: article.title, document: repeats ? below : document };
  }
  if (heading && (rest.length > 0 || media.length > 0)) return { title: heading, document: below };
  return { title: beginningOf(plainText(document)), document };
}

const longestHeading = 150;

/** Text only: a link in a title would not work. */
function isHeading(block: Block): boolean {
  if (block.type !== "heading" && block.type !== "paragraph") return false;
  const [only, ...others] = block.children;
  const inBold = block.type === "heading" || (only?.type === "bold" && others.length === 0);
  return inBold && isWords(block.children) && textOf(block).length <= longestHeading;
}

const isWords = (inlines: readonly Inline[]): boolean =>
  inlines.every((inline) => {
    if (inline.type === "text") return true;
    const decorates = inline.type === "bold" || inline.type === "italic" || inline.type === "underline";
    return decorates && isWords(inline.children);
  });

/** The whole text that readers see, including the title of an article. */
export function wholeText({ title, document }: Titled, post: Post): string {
  const text = plainText(document);
  const isApart = post.article !== undefined || document !== post.document;
  return isApart ? [title, text].filter((part) => part !== "").join("\n\n") : text;
}

const textOf = (block: Block): string =>
  plainText({ blocks: [block] })
    .replace(/\s+/g, " ")
    .trim();

const sameWords = (one: string, other: string): boolean => spoken(one) === spoken(other);
const spoken = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, " ")
    .trim();

/** The first line, cut between words if it is long. */
function beginningOf(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.replace(/\s+/g, " ").trim() ?? "";
  if (line.length <= longestTitle) return line;
  const sentence = /^.{20,80}?[.!?…](?=\s)/u.exec(line)?.[0];
  if (sentence && sentence.length <= longestTitle) return sentence;
  const cut = line.slice(0, longestTitle + 1);
  const words = cut.slice(0, Math.max(cut.lastIndexOf(" "), 0)) || line.slice(0, longestTitle).toWellFormed();
  return `${words.replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, "")}…`;
}
