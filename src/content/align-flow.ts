import type { Flow } from "./flow.ts";

/**
 * A flow over a text that differs from its own in nothing but blanks: reading markup back puts blocks apart by empty
 * lines, wherever they stood. Nothing when the texts differ in more.
 */
export function alignFlow(flow: Flow, text: string): Flow | undefined {
  if (flow.text === text) return flow;
  const from = placesOfSigns(flow.text);
  const to = placesOfSigns(text);
  if (from.length !== to.length || from.some((place, index) => flow.text[place] !== text[to[index] ?? 0])) {
    return undefined;
  }
  const order = new Map(from.map((place, index) => [place, index]));
  const marks = flow.marks.flatMap((mark) => {
    // Marks begin and end with something that can be seen.
    const first = to[order.get(mark.offset) ?? -1];
    const last = to[order.get(mark.offset + mark.length - 1) ?? -1];
    return first === undefined || last === undefined
      ? []
      : [{ ...mark, offset: first, length: last - first + 1 }];
  });
  return { text, marks };
}

/** Where the units stand that are no blanks. */
function placesOfSigns(text: string): number[] {
  return [...text.matchAll(/\S/g)].map(({ index }) => index);
}
