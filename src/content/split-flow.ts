import type { Flow } from "./flow.ts";
import { tidied } from "./flow-writer.ts";

/**
 * A flow in parts that fit: cut between paragraphs; a paragraph that is too long by itself between lines, then
 * sentences, then words, then characters as people see them. Marks that a cut goes through are closed before it and
 * opened again behind it. Nothing when not even one character fits.
 */
export function splitFlow(flow: Flow, fits: (part: Flow) => boolean): Flow[] | undefined {
  const parts: Flow[] = [];
  const borders = borderKinds.map((find) => find(flow));
  let start = 0;
  while (start < flow.text.length) {
    const rest = slice(flow, start, flow.text.length);
    const end = fits(rest) ? flow.text.length : cutAfter(flow, start, borders, fits);
    if (end === undefined) return undefined;
    const part = slice(flow, start, end);
    if (part.text !== "") parts.push(part);
    start = end;
  }
  return parts;
}

/** Flows one under another, with an empty line between them. */
export function joinFlows(flows: readonly Flow[]): Flow {
  let text = "";
  const marks: Flow["marks"][number][] = [];
  for (const flow of flows) {
    if (flow.text === "") continue;
    if (text !== "") text += "\n\n";
    for (const mark of flow.marks) marks.push({ ...mark, offset: mark.offset + text.length });
    text += flow.text;
  }
  return { text, marks };
}

type FindBorders = (flow: Flow) => number[];

/** Places where a text may be cut, the better kinds first. */
const borderKinds: readonly FindBorders[] = [
  paragraphBorders,
  ({ text }) => placesOf(/\n/g, text),
  // A short word before a full stop is more often an abbreviation than an end.
  ({ text }) => placesOf(/(?<=[\p{L}\p{N}»")]{3}[.!?…]+[»"”)]*)\s+(?=\P{Ll})/gu, text),
  ({ text }) => placesOf(/\s+/g, text),
];

/** A heading stays with what it heads, and an empty line inside code ends no paragraph. */
function paragraphBorders({ text, marks }: Flow): number[] {
  const headingEnds = new Set<number>();
  const code: (readonly [number, number])[] = [];
  for (const { kind, offset, length } of marks) {
    if (kind.type === "heading") headingEnds.add(offset + length);
    if (kind.type === "pre") code.push([offset, offset + length]);
  }
  return placesOf(/\n{2,}/g, text).filter(
    (place) => !headingEnds.has(place) && !code.some(([from, to]) => from < place && place < to),
  );
}

function placesOf(border: RegExp, text: string): number[] {
  return [...text.matchAll(border)].map(({ index }) => index);
}

function cutAfter(
  flow: Flow,
  start: number,
  borders: readonly (readonly number[])[],
  fits: (part: Flow) => boolean,
): number | undefined {
  const fitsUpTo = (end: number) => fits(slice(flow, start, end));
  for (const places of borders) {
    const ahead = places.filter((place) => place > start && flow.text.slice(start, place).trim() !== "");
    const found = lastWhere(ahead.length, (index) => fitsUpTo(ahead[index] ?? start));
    if (found !== undefined) return ahead[found];
  }
  return characterBorder(flow.text, start, fitsUpTo);
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

function characterBorder(
  text: string,
  start: number,
  fitsUpTo: (end: number) => boolean,
): number | undefined {
  const longest = lastWhere(text.length - start, (index) => fitsUpTo(start + index + 1));
  if (longest === undefined) return undefined;
  const end = start + longest + 1;
  const whole = graphemes.segment(text.slice(start)).containing(longest + 1);
  if (whole && whole.index > 0) return start + whole.index;
  // One character of a reader may be a letter under a thousand accents; it is cut, but never half a code point.
  const half = /[\uDC00-\uDFFF]/.test(text.charAt(end));
  if (!half) return end;
  return end - 1 > start ? end - 1 : undefined;
}

/** The last index below `count` for which it holds, when it holds up to some index and not beyond. */
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

function slice({ text, marks }: Flow, start: number, end: number): Flow {
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
