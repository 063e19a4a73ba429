import type { Root } from "hast";
import { toHtml } from "hast-util-to-html";
import type { Root as MarkdownRoot } from "mdast";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import {
  cleanText,
  crowded,
  longestSource,
  markersTooDeep,
  markdownTree as parsedMarkdown,
  tooManyLines,
} from "../../content/index.ts";
import { type SanitiseOptions, sanitised, Unreadable } from "./sanitise.ts";

/** Trees of the texts that were read last: the parts of an article are checked, linked and rendered from the same text. */
const remembered = new Map<string, MarkdownRoot>();
const mostRemembered = 6;

/** Nobody changes a tree, because others read it too. */
function treeOf(source: string): MarkdownRoot {
  const tree = remembered.get(source) ?? parsedMarkdown(source);
  // The oldest goes first, so what was used now becomes the newest.
  remembered.delete(source);
  remembered.set(source, tree);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= mostRemembered) break;
    remembered.delete(oldest);
  }
  return tree;
}
const converter = unified().use(remarkRehype, { allowDangerousHtml: true, footnoteLabel: "Примечания" });

/** Characters that no text may have, removed. */
export function cleanSource(markdown: string): string {
  return cleanText(markdown.toWellFormed().replaceAll("\0", ""));
}

/** Markdown with HTML in it as a tree of allowed elements. Throws if the text cannot be read. */
export function readMarkdown(source: string, options: SanitiseOptions): Root {
  const hindrance = whyUnreadable(source);
  if (hindrance !== undefined) throw new Unreadable(hindrance);
  // HTML inside Markdown comes in pieces, so both are written out and parsed as one page; in the way of `htmlOf`, so that a text
  // without surprises is read once.
  const html = toHtml(converter.runSync(treeOf(source)), {
    allowDangerousHtml: true,
    closeSelfClosing: true,
  });
  return sanitised(html, options);
}

/** Markdown as its tree, or undefined if it cannot be read. */
export function markdownTree(source: string): MarkdownRoot | undefined {
  return whyUnreadable(source) === undefined ? treeOf(source) : undefined;
}

/** Parsers of Markdown take quadratic time for some texts; those are found before parsing. */
function whyUnreadable(source: string): string | undefined {
  if (source.length > longestSource) return `the text has more than ${longestSource} characters`;
  if (markersTooDeep(source) !== undefined) return "quotes and lists nest too deeply or are too many";
  return (tooManyLines(source) ?? crowded(source))?.message;
}
