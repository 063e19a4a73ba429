import {
  compareMarks,
  type LossLog,
  type Mark,
  type MarkedText,
  type MarkKind,
  type MarkupWriter,
} from "../../content/index.ts";

/** MAX's own dialect: `++underline++` beside the usual marks, no quotes and no fenced code. */
export const markdown: MarkupWriter = {
  text: escaped,
  wrap(kind, inner, place) {
    if (kind.type === "code" || kind.type === "pre") return fenced(place.raw);
    if (kind.type === "heading") return `# ${inner}`;
    if (kind.type === "link") return `[${inner}](${addressOf(kind)})`;
    if (kind.type === "mention") return `[${inner}](max://user/${kind.userId})`;
    const delimiter = delimiters[kind.type] ?? "";
    return delimiter + inner + delimiter;
  },
};

/** Bold and italic share no character, so that one beside the other cannot be misread. */
const delimiters: Partial<Record<MarkKind["type"], string>> = {
  bold: "**",
  italic: "_",
  underline: "++",
  strike: "~~",
  highlight: "^^",
};

/** The marks that this dialect can write without being misread; the rest is dropped and told. */
export function writableMarks({ text, marks }: MarkedText, losses: LossLog): Mark[] {
  const writable = marks.filter((mark) => {
    const fits = canBeWritten(mark, text);
    if (!fits)
      losses.add(
        mark.kind.type === "code" || mark.kind.type === "pre" ? "code_as_text" : "formatting_dropped",
      );
    return fits;
  });
  return joined(writable);
}

function canBeWritten(mark: Mark, text: string): boolean {
  const end = mark.offset + mark.length;
  const raw = text.slice(mark.offset, end);
  const [before, after] = [text.charAt(mark.offset - 1), text.charAt(end)];
  // `_` neither opens nor closes inside a word.
  if (mark.kind.type === "italic") return !/[\p{L}\p{N}_]/u.test(before + after);
  // Ticks at an end would join the fence.
  if (mark.kind.type === "code" || mark.kind.type === "pre")
    return !raw.startsWith("`") && !raw.endsWith("`");
  if (mark.kind.type === "heading") return /^\n?$/.test(before) && /^\n?$/.test(after) && !raw.includes("\n");
  return true;
}

/** `**a****b**` is not two bold words, nor are two codes: marks of one type that touch become one, if nothing parts them. */
function joined(marks: readonly Mark[]): Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks) joinNeighbour(kept, mark);
  kept.sort(compareMarks);
  // A mark that has grown may now touch another or change places with one around it.
  return kept.length < marks.length ? joined(kept) : kept;
}

function joinNeighbour(kept: Mark[], mark: Mark): void {
  const index = kept.findLastIndex((other) => other.kind.type === mark.kind.type);
  const neighbour = kept[index];
  const touches = neighbour && neighbour.offset + neighbour.length === mark.offset;
  const joins = mark.kind.type in delimiters || mark.kind.type === "code";
  // Marks come outer first, so whatever holds only one of the two stands on its side of the neighbour.
  const parted =
    !touches ||
    kept.slice(0, index).some((outer) => holds(outer, neighbour) && !holds(outer, mark)) ||
    kept.slice(index).some((outer) => holds(outer, mark) && !holds(outer, neighbour));
  if (parted || !joins) kept.push(mark);
  else kept[index] = { ...neighbour, length: neighbour.length + mark.length };
}

function holds(outer: Mark, inner: Mark): boolean {
  return outer.offset <= inner.offset && inner.offset + inner.length <= outer.offset + outer.length;
}

/** Characters that would be read as marks. Pairs of `+`, `~` and `^` mark, and a single one may meet a mark's own. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/([+~^])(?=\1)|(?<=([+~^]))\2|^[+~^]|[+~^]$/g, "\\$&")
    .replace(/^#(?=#*[ \t])/gm, "\\#");
}

/** The fence is longer than any run of ticks inside. */
function fenced(raw: string): string {
  const longest = Math.max(0, ...(raw.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return fence + raw + fence;
}

/** Brackets and blanks would end the address early; a mark's character in it might end that mark. */
function addressOf({ url }: Extract<MarkKind, { type: "link" }>): string {
  return url.replace(
    /[()[\]\s\\*`~_]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
