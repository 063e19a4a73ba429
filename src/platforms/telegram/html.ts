import { type MarkupWriter, renderMarks } from "../../content/index.ts";
import type { Entity } from "./entities.ts";

/** The same formatting as Telegram's HTML, for channels whose bots or logs need it readable. */
export function htmlOf(text: string, entities: readonly Entity[]): string {
  const marks = entities.map((entity) => ({ kind: entity, offset: entity.offset, length: entity.length }));
  return renderMarks({ text, marks }, html);
}

const tags: ReadonlyMap<string, string> = new Map([
  ["bold", "b"],
  ["italic", "i"],
  ["underline", "u"],
  ["strikethrough", "s"],
  ["spoiler", "tg-spoiler"],
  ["code", "code"],
  ["blockquote", "blockquote"],
]);

const html: MarkupWriter<Entity> = {
  text: escaped,
  wrap({ type, url, user, language, custom_emoji_id }, inner) {
    if (url !== undefined) return `<a href="${escaped(url)}">${inner}</a>`;
    if (user !== undefined) return `<a href="tg://user?id=${user.id}">${inner}</a>`;
    if (custom_emoji_id !== undefined) return `<tg-emoji emoji-id="${custom_emoji_id}">${inner}</tg-emoji>`;
    if (type === "expandable_blockquote") return `<blockquote expandable>${inner}</blockquote>`;
    if (type === "pre" && language !== undefined) {
      return `<pre><code class="language-${escaped(language)}">${inner}</code></pre>`;
    }
    const tag = tags.get(type) ?? type;
    return `<${tag}>${inner}</${tag}>`;
  },
};

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => references[character] ?? character);
}
