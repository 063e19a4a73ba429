import type { MarkedText } from "./marked-text.ts";
import { tidied } from "./marked-text-writer.ts";

/** Limits of one part. */
export interface PartLimit {
  /** The most units of text; markup may allow fewer. */
  readonly longest: number;
  fits(part: MarkedText): boolean;
}

/**
 * Splits a marked text into parts that fit: between paragraphs; a paragraph that is too long between lines, then sentences,
 * then words, then visible characters. Marks across a cut are closed before it and opened again after it. Returns undefined if
 * not even one character fits.
 */
export function splitMarkedText(marked: MarkedText, limit: PartLimit): MarkedText[] | undefined {
  const { text } = marked;
  const borders = borderKinds.map((find) => find(marked));
  const parts: MarkedText[] = [];
  let start = 0;
  // A text may have as many marks as words, so each part checks only its own: those open at its beginning, and those from
  // `next` on that begin within it.
  let open: MarkedText["marks"] = [];
  let next = 0;
  while (start < text.length) {
    const part = (end: number) =>
      slice(text, [...open, ...marked.marks.slice(next, firstFrom(end, next))], start, end);
    const fitsUpTo = (end: number) => end - start <= limit.longest && limit.fits(part(end));
    const end = fitsUpTo(text.length) ? text.length : cutAfter(text, start, borders, limit, fitsUpTo);
    if (end === undefined) return undefined;
    parts.push(part(end));
    start = text.length - text.slice(end).trimStart().length;
    const begun = [...open, ...marked.marks.slice(next, firstFrom(start, next))];
    open = begun.filter(({ offset, length }) => offset + length > start);
    next = firstFrom(start, next);
  }
  return parts;

  /** The first mark from `from` on that begins at `place` or after it. */
  function firstFrom(place: number, from: number): number {
    let index = from;
    while ((marked.marks[index]?.offset ?? place) < place) index += 1;
    return index;
  }
}

/** Joins texts with an empty line between them. */
export function joinMarkedTexts(markedTexts: readonly MarkedText[]): MarkedText {
  let text = "";
  const marks: MarkedText["marks"][number][] = [];
  for (const marked of markedTexts) {
    if (marked.text === "") continue;
    if (text !== "") text += "\n\n";
    for (const mark of marked.marks) marks.push({ ...mark, offset: mark.offset + text.length });
    text += marked.text;
  }
  return { text, marks };
}

type FindBorders = (marked: MarkedText) => number[];

/** Places where a text may be cut, the better kinds first. */
const borderKinds: readonly FindBorders[] = [
  paragraphBorders,
  ({ text }) => placesOf(/\n/g, text),
  // A short word before a full stop is more often an abbreviation than an end. Looking back has a limit: a text of
  // nothing but signs would be read again from each of its characters.
  ({ text }) => placesOf(/(?<=[\p{L}\p{N}»")]{3}[.!?…]{1,9}[»"”)]{0,9})\s(?=\P{Ll})/gu, text),
  ({ text }) => placesOf(/\s+/g, text),
];

/** A heading stays with the text below it, and an empty line inside code does not end a paragraph. */
function paragraphBorders({ text, marks }: MarkedText): number[] {
  const headingEnds = new Set<number>();
  const code: (readonly [number, number])[] = [];
  for (const { kind, offset, length } of marks) {
    if (kind.type === "heading") headingEnds.add(offset + length);
    if (kind.type === "pre") code.push([offset, offset + length]);
  }
  let next = 0;
  return placesOf(/\n{2,}/g, text).filter((place) => {
    while (next < code.length && (code[next]?.[1] ?? 0) <= place) next += 1;
    const isInCode = (code[next]?.[0] ?? place) < place;
    return !headingEnds.has(place) && !isInCode;
  });
}

function placesOf(border: RegExp, text: string): number[] {
  return [...text.matchAll(border)].map(({ index }) => index);
}

function cutAfter(
  text: string,
  start: number,
  borders: readonly (readonly number[])[],
  { longest }: PartLimit,
  fitsUpTo: (end: number) => boolean,
): number | undefined {
  for (const places of borders) {
    const [first, end] = [countUpTo(places, start), countUpTo(places, start + longest)];
    const ahead = places.slice(first, end);
    const found = lastWhere(ahead.length, (index) => fitsUpTo(ahead[index] ?? start));
    if (found !== undefined) return ahead[found];
  }
  return characterBorder(text.slice(start, start + 2 * longest), start, longest, fitsUpTo);
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** `ahead` is the text from `start` on. */
function characterBorder(
  ahead: string,
  start: number,
  longest: number,
  fitsUpTo: (end: number) => boolean,
): number | undefined {
  const last = lastWhere(Math.min(ahead.length, longest), (index) => fitsUpTo(start + index + 1));
  if (last === undefined) return undefined;
  const length = last + 1;
  const seen = graphemes.segment(ahead).containing(length)?.index ?? 0;
  if (seen > 0) return start + seen;
  // One visible character may have a thousand accents; it may be cut, but never within a code point.
  const whole = /[\uDC00-\uDFFF]/.test(ahead.charAt(length)) ? length - 1 : length;
  return whole > 0 ? start + whole : undefined;
}

/** Binary search: the last index below `count` for which it holds. */
function lastWhere(count: number, holds: (index: number) => boolean): number | undefined {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : low - 1;
}

/** How many of the sorted places are at or before this one. */
function countUpTo(places: readonly number[], place: number): number {
  const last = lastWhere(places.length, (index) => (places[index] ?? 0) <= place);
  return last === undefined ? 0 : last + 1;
}

function slice(text: string, marks: MarkedText["marks"], start: number, end: number): MarkedText {
  const cut = marks.flatMap((mark) => {
    const from = Math.max(mark.offset, start);
    const to = Math.min(mark.offset + mark.length, end);
    const whole = to - from === mark.length;
    return to > from && (whole || mark.kind.type !== "emoji")
      ? [{ ...mark, offset: from - start, length: to - from }]
      : [];
  });
  return tidied(text.slice(start, end), cut);
}
