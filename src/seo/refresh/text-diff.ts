/** What differs between two texts, paragraph by paragraph. */
import { z } from "zod";

export const diffPartSchema = z.object({ kind: z.enum(["same", "removed", "added"]), text: z.string() });
export type DiffPart = z.infer<typeof diffPartSchema>;

/** More paragraphs than an article has; the rest of a longer text is one paragraph. */
const mostBlocks = 1_000;

/** The longest common sequence of paragraphs stays; of the others, what goes stands before what comes. */
export function textDiff(before: string, after: string): DiffPart[] {
  const [old, young] = [blocksOf(before), blocksOf(after)];
  const same = commonOf(old, young);
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  const push = (kind: DiffPart["kind"], text: string | undefined) => {
    if (text !== undefined) parts.push({ kind, text });
  };
  while (i < old.length || j < young.length) {
    if (i < old.length && j < young.length && keyOf(old[i]) === keyOf(young[j])) {
      push("same", young[j]);
      i += 1;
      j += 1;
    } else if (i < old.length && (j >= young.length || at(same, i + 1, j) >= at(same, i, j + 1))) {
      push("removed", old[i]);
      i += 1;
    } else {
      push("added", young[j]);
      j += 1;
    }
  }
  return parts;
}

const at = (table: readonly (readonly number[])[], i: number, j: number) => table[i]?.[j] ?? 0;

/** The length of the longest common sequence of what is left from each pair of places on. */
function commonOf(old: readonly string[], young: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(young.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = young.length - 1; j >= 0; j -= 1) {
      const row = table[i];
      if (!row) continue;
      row[j] =
        keyOf(old[i]) === keyOf(young[j])
          ? at(table, i + 1, j + 1) + 1
          : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  return table;
}

function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const isBlank = line.trim() === "";
    if (!isBlank) blocks.push(isOpen ? `${blocks.pop()}\n${line}` : line);
    isOpen = !isBlank;
  }
  return blocks.length <= mostBlocks
    ? blocks
    : [...blocks.slice(0, mostBlocks - 1), blocks.slice(mostBlocks - 1).join("\n\n")];
}

const keyOf = (block: string | undefined) => block?.replaceAll(/\s+/g, " ");
