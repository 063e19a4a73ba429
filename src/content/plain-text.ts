import type { Document } from "./document.ts";
import { flowOf } from "./flow.ts";
import { createLossLog } from "./losses.ts";

const everyScheme = new Set(["http:", "https:", "mailto:", "tel:", "tg:", "max:"]);

/** What a reader sees of a document, without markup and without the addresses behind links. */
export function plainText(document: Document): string {
  return flowOf(document, { losses: createLossLog(), linkSchemes: everyScheme }).text;
}
