import type { ParseMode } from "../../content/index.ts";

/** How a value becomes text that means itself in the template's markup. Plain text has nothing to escape. */
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
 * CommonMark with GitHub's additions. What a bare link may hold (`_` inside a word, `&` outside an entity, brackets that
 * are round) stays as it is, because a backslash in a bare link becomes a part of its address.
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
