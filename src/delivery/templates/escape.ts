import type { ParseMode } from "../../content/index.ts";

/** Escapes a value so that the template's markup shows it literally. Plain text needs no escaping. */
export const escapes: Record<ParseMode, ((text: string) => string) | undefined> = {
  HTML: escapeHtml,
  Markdown: escapeMarkdown,
  None: undefined,
};

const htmlEntities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => htmlEntities[sign] ?? sign);
}

/**
 * CommonMark with GitHub's additions. Characters that a bare link may contain (`_` inside a word, `&` outside an entity, round
 * brackets) are not escaped, because a backslash in a bare link becomes part of its address.
 */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]<~|]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/&(?=#?\w+;)/g, "\\&")
    .replace(/^[ \t]+/gm, " ")
    .replace(/^( ?)([#>+=-]|:-)/gm, "$1\\$2")
    .replace(/^( ?\d{1,9})([.)])(?=\s|$)/gm, "$1\\$2");
}
