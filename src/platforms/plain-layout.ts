import {
  type Document,
  type LossCode,
  type LossLog,
  type Mark,
  type MarkedText,
  type MarkKind,
  markedTextOf,
} from "../content/index.ts";

/** Links whose address is not written after their words. */
export interface PlainLinks {
  /** The platform can attach the link to its words; its mark is kept. */
  staysBehindWords?(url: string, words: string): boolean;
  /** It is the same as the link of the whole post. */
  isSaidElsewhere?(url: string): boolean;
}

const webSchemes: ReadonlySet<string> = new Set(["http:", "https:"]);

/** Lays out a document as plain text: the address of a link follows its words, and formatting is dropped. */
export function layPlainText(document: Document, losses: LossLog, links: PlainLinks = {}): MarkedText {
  const { text, marks } = markedTextOf(document, { losses, linkSchemes: webSchemes });
  const kept: Mark[] = [];
  const additions: { readonly at: number; readonly address: string }[] = [];
  for (const mark of marks) {
    const words = text.slice(mark.offset, mark.offset + mark.length);
    if (mark.kind.type !== "link") losses.add(lossOf(mark.kind));
    else if (links.staysBehindWords?.(mark.kind.url, words)) kept.push(mark);
    else if (!words.includes(mark.kind.url) && !links.isSaidElsewhere?.(mark.kind.url)) {
      losses.add("link_as_text");
      additions.push({ at: mark.offset + mark.length, address: ` (${mark.kind.url})` });
    }
  }
  return withAdditions(text, kept, additions);
}

function withAdditions(
  text: string,
  marks: readonly Mark[],
  additions: readonly { readonly at: number; readonly address: string }[],
): MarkedText {
  let written = "";
  let from = 0;
  for (const { at, address } of additions) {
    written += text.slice(from, at) + address;
    from = at;
  }
  const shift = (place: number) =>
    additions.reduce((sum, { at, address }) => (at <= place ? sum + address.length : sum), 0);
  return {
    text: written + text.slice(from),
    marks: marks.map((mark) => ({ ...mark, offset: mark.offset + shift(mark.offset) })),
  };
}

/** What plain text cannot show of a mark. */
function lossOf(kind: MarkKind): LossCode {
  switch (kind.type) {
    case "emoji":
      return "emoji_as_text";
    case "spoiler":
      return "spoiler_shown";
    case "mention":
      return "mention_as_text";
    case "quote":
      return "quote_as_text";
    case "highlight":
      return "highlight_as_text";
    case "code":
    case "pre":
      return "code_as_text";
    default:
      return "formatting_dropped";
  }
}
