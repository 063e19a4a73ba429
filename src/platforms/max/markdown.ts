import {
  compareMarks,
  type LossLog,
  type Mark,
  type MarkedText,
  type MarkKind,
  type MarkupWriter,
} from "../../content/index.ts";

/** MAX's own dialect: `++underline++` besides the usual marks, no quotes and no fenced code. */
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

/** Bold and italic use different characters, so that they can be adjacent. */
const delimiters: Partial<Record<MarkKind["type"], string>> = {
  bold: "**",
  italic: "_",
  underline: "++",
  strike: "~~",
  highlight: "^^",
};

/** The marks that this dialect can write unambiguously; the rest is dropped and reported. */
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
  // `_` has no effect inside a word.
  if (mark.kind.type === "italic") return !/[\p{L}\p{N}_]/u.test(before + after);
  // Backticks at either end would join the fence.
  if (mark.kind.type === "code" || mark.kind.type === "pre")
    return !raw.startsWith("`") && !raw.endsWith("`");
  if (mark.kind.type === "heading") return /^\n?$/.test(before) && /^\n?$/.test(after) && !raw.includes("\n");
  return true;
}

/**
 * `**a****b**` is not two bold words, nor are two adjacent codes: touching marks of one type are joined, if nothing
 * separates them.
 */
function joined(marks: readonly Mark[]): Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks) joinNeighbour(kept, mark);
  kept.sort(compareMarks);
  // A joined mark may now touch another one or change its order with an enclosing one.
  return kept.length < marks.length ? joined(kept) : kept;
}

function joinNeighbour(kept: Mark[], mark: Mark): void {
  const index = kept.findLastIndex((other) => other.kind.type === mark.kind.type);
  const neighbour = kept[index];
  const touches = neighbour && neighbour.offset + neighbour.length === mark.offset;
  const joins = mark.kind.type in delimiters || mark.kind.type === "code";
  // Marks are sorted outer first, so a mark that contains only one of the two would separate them.
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

/**
 * Characters that would be read as marks. Only pairs of `+`, `~` and `^` are marks, but a single one may be next to a
 * mark's own.
 */
function escaped(text: string): string {
  return text
    .replace(/[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/([+~^])(?=\1)|(?<=([+~^]))\2|^[+~^]|[+~^]$/g, "\\$&")
    .replace(/^#(?=#*[ \t])/gm, "\\#");
}

/** The fence is longer than any run of backticks inside. */
function fenced(raw: string): string {
  const longest = Math.max(0, ...(raw.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return fence + raw + fence;
}

/** Brackets and spaces would end the address early; a mark's character in it might end that mark. */
function addressOf({ url }: Extract<MarkKind, { type: "link" }>): string {
  return url.replace(
    /[()[\]\s\\*`~_]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
