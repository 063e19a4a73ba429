import type { Document } from "./document.ts";
import { createLossLog } from "./losses.ts";
import { markedTextOf } from "./marked-text.ts";

const everyScheme = new Set(["http:", "https:", "mailto:", "tel:", "tg:", "max:"]);

/** The visible text of a document, without markup and without the addresses of links. */
export function plainText(document: Document): string {
  return markedTextOf(document, { losses: createLossLog(), linkSchemes: everyScheme }).text;
}
