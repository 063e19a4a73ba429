import type { MarkedText } from "./marked-text.ts";

/**
 * Moves marks to a text that differs only in white space: parsing markup again separates blocks by empty lines. Returns
 * undefined if the texts differ in more.
 */
export function alignMarkedText(marked: MarkedText, text: string): MarkedText | undefined {
  if (marked.text === text) return marked;
  const from = placesOfSigns(marked.text);
  const to = placesOfSigns(text);
  if (from.length !== to.length || from.some((place, index) => marked.text[place] !== text[to[index] ?? 0])) {
    return undefined;
  }
  const order = new Map(from.map((place, index) => [place, index]));
  const marks = marked.marks.flatMap((mark) => {
    // Marks begin and end with a visible character.
    const first = to[order.get(mark.offset) ?? -1];
    const last = to[order.get(mark.offset + mark.length - 1) ?? -1];
    return first === undefined || last === undefined
      ? []
      : [{ ...mark, offset: first, length: last - first + 1 }];
  });
  return { text, marks };
}

/** The positions of units that are not white space. */
function placesOfSigns(text: string): number[] {
  return [...text.matchAll(/\S/g)].map(({ index }) => index);
}
