import {
  type Document,
  type LossCode,
  type LossLog,
  type MarkedText,
  type MarkKind,
  markedTextOf,
  renderMarks,
  type TextFormat,
} from "../../content/index.ts";
import { html } from "./html.ts";
import { linkSchemes } from "./limits.ts";
import { markdown, writableMarks } from "./markdown.ts";

/** A text as it is sent, and as a reader sees it. */
export interface Written {
  readonly markup: string;
  readonly text: string;
}

const noSchemes: ReadonlySet<string> = new Set();

/** A document as running text; without a format a link cannot be attached to words. */
export function layMarkedText(document: Document, format: TextFormat, losses: LossLog): MarkedText {
  return markedTextOf(document, { losses, linkSchemes: format === "plain" ? noSchemes : linkSchemes });
}

/** Writes a text in its author's format: html and markdown as such, plain without marks. */
export function write(marked: MarkedText, format: TextFormat, losses: LossLog): Written {
  const marks = marked.marks.filter((mark) => {
    const lost = lossOf(mark.kind, format);
    if (lost) losses.add(lost.code);
    return !lost?.dropped;
  });
  if (format === "plain") return { markup: marked.text, text: marked.text };
  const { text } = marked;
  if (format === "html") return { markup: renderMarks({ text, marks }, html), text };
  return { markup: renderMarks({ text, marks: writableMarks({ text, marks }, losses) }, markdown), text };
}

/** What MAX cannot show of a mark; `dropped` means that nothing of the mark is left. */
function lossOf(kind: MarkKind, format: TextFormat): { code: LossCode; dropped: boolean } | undefined {
  if (kind.type === "emoji") return { code: "emoji_as_text", dropped: true };
  if (kind.type === "spoiler") return { code: "spoiler_shown", dropped: true };
  if (kind.type === "mention" && kind.network !== "max") return { code: "mention_as_text", dropped: true };
  if (format === "plain") return { code: "formatting_dropped", dropped: true };
  if (kind.type === "quote" && format === "markdown") return { code: "quote_as_text", dropped: true };
  if (kind.type === "quote" && kind.expandable) return { code: "quote_not_expandable", dropped: false };
  if (kind.type === "heading" && kind.level > 1) return { code: "heading_level", dropped: false };
  if (kind.type === "pre" && kind.language) return { code: "code_language", dropped: false };
  return undefined;
}
