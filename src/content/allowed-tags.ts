import type { Decoration } from "./document.ts";

/** A map, not an object: a tag may be called `constructor`. */
export const decorations: ReadonlyMap<string, Decoration> = new Map([
  ["b", "bold"],
  ["strong", "bold"],
  ["i", "italic"],
  ["em", "italic"],
  ["cite", "italic"],
  ["u", "underline"],
  ["ins", "underline"],
  ["s", "strike"],
  ["strike", "strike"],
  ["del", "strike"],
  ["tg-spoiler", "spoiler"],
  ["mark", "highlight"],
]);

export const codeTags = new Set(["code", "kbd", "samp", "tt"]);

export const blockTags = new Set([
  ...["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "table", "tr", "hr"],
]);

/** Elements that only group blocks; they are dropped without a report. */
export const groups = new Set([
  ...["html", "body", "div", "section", "article", "main", "header", "footer", "aside", "nav", "figure"],
  ...["figcaption", "address", "center", "details", "summary", "dl", "dt", "dd"],
]);

/** Inline elements that messengers do not show; they are dropped without a report. */
export const neutral = new Set([
  ...["span", "font", "small", "big", "sup", "sub", "abbr", "time", "label", "wbr", "q"],
]);

/** Their content is never text, so it is dropped with them. */
export const neverText = new Set([
  ...["script", "style", "iframe", "object", "embed", "template", "svg", "math", "noscript", "head", "title"],
  ...["link", "meta", "base", "audio", "video", "canvas", "map", "select", "textarea", "input", "button"],
]);
