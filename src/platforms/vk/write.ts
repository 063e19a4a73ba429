import { type Document, type LossLog, type MarkedText, renderMarks } from "../../content/index.ts";
import { layPlainText } from "../plain-layout.ts";
import { mentionOf } from "./mention.ts";

/** A text as it is sent, and as a reader sees it. */
export interface Written {
  readonly markup: string;
  readonly text: string;
}

/** A document as VK shows it: plain text, in which links to VK communities and people are attached to their words. */
export function layText(document: Document, losses: LossLog): MarkedText {
  return layPlainText(document, losses, {
    staysBehindWords: (url, words) => mentionOf(url, words) !== undefined,
  });
}

/** The text with its mentions in VK's syntax. */
export function write({ text, marks }: MarkedText): Written {
  const markup = renderMarks(
    { text, marks },
    {
      text: (plain) => plain,
      wrap: (kind, inner) => (kind.type === "link" && mentionOf(kind.url, inner)) || inner,
    },
  );
  return { markup, text };
}
