/** Which lines two texts have in common, and which only one of them. */
export interface DiffLine {
  readonly kind: "same" | "added" | "dropped";
  readonly text: string;
}

/** Texts with more lines in between are shown as replaced whole: the table of common lines would be too large. */
const mostCompared = 1_000;

export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [was, is] = [before.split("\n"), after.split("\n")];
  const shortest = Math.min(was.length, is.length);
  let start = 0;
  while (start < shortest && was[start] === is[start]) start++;
  let tail = 0;
  while (tail < shortest - start && was.at(-1 - tail) === is.at(-1 - tail)) tail++;
  return [
    ...was.slice(0, start).map(same),
    ...between(was.slice(start, was.length - tail), is.slice(start, is.length - tail)),
    ...was.slice(was.length - tail).map(same),
  ];
}

function between(was: readonly string[], is: readonly string[]): DiffLine[] {
  if (was.length > mostCompared || is.length > mostCompared) return [...was.map(dropped), ...is.map(added)];
  const common = commonLengths(was, is);
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < was.length || j < is.length) {
    const [old, fresh] = [was[i], is[j]];
    if (old !== undefined && old === fresh) {
      lines.push(same(old));
      i++;
      j++;
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(dropped(old));
      i++;
    } else if (fresh !== undefined) {
      lines.push(added(fresh));
      j++;
    }
  }
  return lines;
}

/** For each pair of places, how many lines the rests of both texts have in common, in their order. */
function commonLengths(was: readonly string[], is: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: was.length + 1 }, () => new Uint16Array(is.length + 1));
  for (let i = was.length - 1; i >= 0; i--)
    for (let j = is.length - 1; j >= 0; j--) {
      const row = table[i];
      if (row)
        row[j] =
          was[i] === is[j]
            ? (table[i + 1]?.[j + 1] ?? 0) + 1
            : Math.max(table[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  return table;
}

const same = (text: string): DiffLine => ({ kind: "same", text });
const added = (text: string): DiffLine => ({ kind: "added", text });
const dropped = (text: string): DiffLine => ({ kind: "dropped", text });
