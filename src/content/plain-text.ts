import type { Document } from "./document.ts";
import { createLossLog } from "./losses.ts";
import { markedTextOf } from "./marked-text.ts";

const everyScheme = new Set(["http:", "https:", "mailto:", "tel:", "tg:", "max:"]);

/** What a reader sees of a document, without markup and without the addresses behind links. */
export function plainText(document: Document): string {
  return markedTextOf(document, { losses: createLossLog(), linkSchemes: everyScheme }).text;
}
