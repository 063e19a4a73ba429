/** Turns a text and its marks, which may nest or overlap, into the tree that is drawn. */
import type { MarkView } from "../types.ts";

export type Span =
  | { readonly kind: "text"; readonly from: number; readonly text: string }
  | {
      readonly kind: "mark";
      readonly from: number;
      readonly mark: MarkView;
      /** The characters the mark covers here, before any formatting. */
      readonly text: string;
      readonly children: readonly Span[];
    };

export function spansOf(text: string, marks: readonly MarkView[]): Span[] {
  const ranges = marks
    .map((mark) => rangeOf(mark, text))
    .filter((range) => range.from < range.to && range.mark.type !== "plain")
    .sort((a, b) => rank(a) - rank(b) || a.from - b.from || b.to - a.to);
  return build(text, { from: 0, to: text.length }, ranges);
}

interface Range {
  readonly from: number;
  readonly to: number;
}
interface MarkedRange extends Range {
  readonly mark: MarkView;
}

/** The outermost mark splits the range in three; marks that cross its border are split there too. */
function build(text: string, stretch: Range, ranges: readonly MarkedRange[]): Span[] {
  if (stretch.from >= stretch.to) return [];
  const [outer, ...others] = within(stretch, ranges);
  if (!outer) return [{ kind: "text", from: stretch.from, text: text.slice(stretch.from, stretch.to) }];
  return [
    ...build(text, { from: stretch.from, to: outer.from }, others),
    {
      kind: "mark",
      from: outer.from,
      mark: outer.mark,
      text: text.slice(outer.from, outer.to),
      children: build(
        text,
        outer,
        others.filter(({ mark }) => mayNest(outer.mark, mark)),
      ),
    },
    ...build(text, { from: outer.to + breakAfter(text, outer), to: stretch.to }, others),
  ];
}

function within(stretch: Range, ranges: readonly MarkedRange[]): MarkedRange[] {
  return ranges
    .map((range) => ({
      ...range,
      from: Math.max(range.from, stretch.from),
      to: Math.min(range.to, stretch.to),
    }))
    .filter((range) => range.from < range.to);
}

const blocks: ReadonlySet<MarkView["type"]> = new Set(["quote", "expandable_quote", "pre", "heading"]);
const anchors: ReadonlySet<MarkView["type"]> = new Set(["link", "mention", "hashtag", "command"]);

/** Order of nesting: quotes, code blocks, links, inline marks; it gives the fewest pieces. */
function rank({ mark }: MarkedRange): number {
  if (mark.type === "quote" || mark.type === "expandable_quote") return 0;
  if (blocks.has(mark.type)) return 1;
  if (mark.type === "spoiler") return 2;
  if (anchors.has(mark.type)) return 3;
  return 4;
}

/** A link inside a link is not HTML, and twice bold is bold. */
function mayNest(outer: MarkView, inner: MarkView): boolean {
  if (outer.type === inner.type) return false;
  return !(anchors.has(outer.type) && anchors.has(inner.type));
}

/** A block ends its line by itself, so the line break that follows it in the text would show as an empty line. */
function breakAfter(text: string, range: MarkedRange): number {
  return blocks.has(range.mark.type) && text[range.to] === "\n" ? 1 : 0;
}

/** Kept inside the text and never through the middle of a surrogate pair. */
function rangeOf(mark: MarkView, text: string): MarkedRange {
  const from = Math.min(Math.max(mark.offset, 0), text.length);
  const to = Math.min(Math.max(mark.offset + mark.length, 0), text.length);
  return { mark, from: splitsPair(text, from) ? from - 1 : from, to: splitsPair(text, to) ? to + 1 : to };
}

function splitsPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1)) && at > 0;
}
