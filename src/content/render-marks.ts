import type { MarkKind } from "./marked-text.ts";

/** How a markup language writes text and marks. */
export interface MarkupWriter<Kind = MarkKind> {
  text(text: string): string;
  wrap(kind: Kind, inner: string, place: MarkPlace): string;
}

/** The text around a mark, for languages in which it matters. */
export interface MarkPlace {
  /** The marked text itself, without markup. */
  readonly raw: string;
  readonly before: string;
  readonly after: string;
}

/** A text and marks over it, sorted by offset, the longer first, without partial overlaps. */
export interface MarkedText<Kind> {
  readonly text: string;
  readonly marks: readonly { readonly kind: Kind; readonly offset: number; readonly length: number }[];
}

/** Writes a marked text as markup; tags are always balanced. */
export function renderMarks<Kind>({ text, marks }: MarkedText<Kind>, writer: MarkupWriter<Kind>): string {
  let next = 0;

  function upTo(start: number, end: number): string {
    let written = "";
    let at = start;
    for (let mark = marks[next]; mark && mark.offset < end; mark = marks[next]) {
      next += 1;
      written += writer.text(text.slice(at, mark.offset));
      at = mark.offset + mark.length;
      const inner = upTo(mark.offset, at);
      const place = {
        raw: text.slice(mark.offset, at),
        before: text.charAt(mark.offset - 1),
        after: text.charAt(at),
      };
      written += writer.wrap(mark.kind, inner, place);
    }
    return written + writer.text(text.slice(at, end));
  }

  return upTo(0, text.length);
}
