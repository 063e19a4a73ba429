import type { MarkKind, MarkupWriter } from "../../content/index.ts";

/**
 * Tags that MAX keeps. `blockquote` is known only from the markup that MAX returns; if it were not supported, its text
 * would remain.
 */
const tags: Partial<Record<MarkKind["type"], string>> = {
  bold: "b",
  italic: "i",
  underline: "u",
  strike: "s",
  highlight: "mark",
  code: "code",
  pre: "pre",
  heading: "h1",
  quote: "blockquote",
};

export const html: MarkupWriter = {
  text: escaped,
  wrap(kind, inner) {
    if (kind.type === "link") return `<a href="${escaped(kind.url)}">${inner}</a>`;
    if (kind.type === "mention") return `<a href="max://user/${escaped(kind.userId)}">${inner}</a>`;
    const tag = tags[kind.type];
    return tag ? `<${tag}>${inner}</${tag}>` : inner;
  },
};

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
