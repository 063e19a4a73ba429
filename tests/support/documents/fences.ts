/** A block of a document between two lines of three backticks. */
export interface Fence {
  /** Of its first line of content. */
  readonly line: number;
  /** The word after the opening backticks; empty if there is none. */
  readonly language: string;
  /** Its content, without the indentation of the list around it. */
  readonly text: string;
}

/** Reads every fence of a Markdown document; throws for one that is not closed. */
export function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: { line: number; language: string; indent: number; lines: string[] } | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const mark = /^( *)```(\S*)\s*$/.exec(line);
    if (!mark) open?.lines.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)));
    else if (open) {
      fences.push({ line: open.line, language: open.language, text: open.lines.join("\n") });
      open = undefined;
    } else open = { line: index + 2, language: mark[2] ?? "", indent: mark[1]?.length ?? 0, lines: [] };
  }
  if (open) throw new Error(`the fence before line ${open.line} is not closed`);
  return fences;
}

/** The first line that is not a comment: the name of a fence in a list. */
export function firstLine({ text }: Fence): string {
  const lines = text.split("\n").map((line) => line.replace(/(^|\s)#.*$/, "").trim());
  return lines.find((line) => line !== "") ?? "";
}

/** The commands of a fence without comments and without words between quotes: only files, data and options are left to differ. */
export function wordless({ text }: Fence): string {
  return text
    .replace(/(^|\s)#.*$/gm, "")
    .replace(/'[^'{}[\]<>=]*'|"[^"{}[\]<>=]*"/g, "…")
    .replace(/^\s+/gm, "")
    .trim();
}

/** The commands of a fence without what a translation changes: comments, files written here, and the words between quotes. */
export function skeleton({ text }: Fence): string {
  return text
    .replace(/(<<'(\w+)'\n).*?\n(?=\2$)/gms, "$1")
    .replace(/'[^']*'|"[^"]*"/g, "…")
    .replace(/--language (ru|en)/g, "--language …")
    .replace(/(^|\s)#.*$/gm, "")
    .replace(/^[^\S\n]+|[^\S\n]+$/gm, "")
    .replace(/[А-Яа-яЁё]+/g, "…")
    .replace(/\n{2,}/g, "\n")
    .trim();
}
