import {
  createTextWriter,
  type FormattedText,
  linkMark,
  type MarkupType,
  type TextWriter,
} from "./markup.ts";

/**
 * The provider's own dialect: `__b__` besides `**b**`, `++u++`, `^^h^^`. Written by hand because no parser supports it
 * and its inline grammar is small.
 */
const delimiters: Record<string, MarkupType> = {
  "**": "strong",
  __: "strong",
  "~~": "strikethrough",
  "++": "underline",
  "^^": "highlighted",
  "*": "emphasized",
  _: "emphasized",
};

const heading = /^#{1,6}[ \t]+/;

export function fromMarkdown(source: string): FormattedText {
  const writer = createTextWriter();
  blocks(source).forEach((block, index) => {
    if (index > 0) writer.write("\n");
    const prefix = heading.exec(block)?.[0];
    if (prefix === undefined) inline(block, writer);
    else writer.marked({ type: "heading" }, () => inline(block.slice(prefix.length), writer));
  });
  return writer.result();
}

/** A heading is a line of its own; the lines between headings are parsed together, so marks may span them. */
function blocks(source: string): string[] {
  const result: string[] = [];
  let open = false;
  for (const line of source.split("\n")) {
    const isHeading = heading.test(line);
    if (open && !isHeading) result.push(`${result.pop()}\n${line}`);
    else result.push(line);
    open = !isHeading;
  }
  return result;
}

function inline(source: string, writer: TextWriter): void {
  let at = 0;
  while (at < source.length) at = span(source, at, writer);
}

/** Writes what begins at `at` and returns where the next part begins. */
function span(source: string, at: number, writer: TextWriter): number {
  const char = source.charAt(at);
  if (char === "\\" && /[!-/:-@[-`{-~]/.test(source.charAt(at + 1))) {
    writer.write(source.charAt(at + 1));
    return at + 2;
  }
  if (char === "`") return code(source, at, writer);
  if (char === "[") return link(source, at, writer);
  const run = runAt(source, at);
  const delimiter = openingOf(source, at, run);
  const close = delimiter ? closing(source, at + delimiter.length, delimiter) : -1;
  const type = delimiters[delimiter];
  if (type === undefined || close < 0) {
    const literal = run || char;
    writer.write(literal);
    return at + literal.length;
  }
  writer.marked({ type }, () => inline(source.slice(at + delimiter.length, close), writer));
  return close + delimiter.length;
}

function code(source: string, at: number, writer: TextWriter): number {
  const ticks = /^`+/.exec(source.slice(at))?.[0] ?? "`";
  const end = source.indexOf(ticks, at + ticks.length);
  if (end < 0) {
    writer.write(ticks);
    return at + ticks.length;
  }
  writer.marked({ type: "monospaced" }, () => writer.write(source.slice(at + ticks.length, end)));
  return end + ticks.length;
}

function link(source: string, at: number, writer: TextWriter): number {
  const found = /^\[((?:\\.|[^\]\\])*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/.exec(source.slice(at));
  const [whole, label, url] = found ?? [];
  if (!whole || !label || !url) {
    writer.write("[");
    return at + 1;
  }
  writer.marked(linkMark(url), () => inline(label, writer));
  return at + whole.length;
}

/** The run of one delimiter character at `at`, or undefined. */
function runAt(source: string, at: number): string {
  return /^(?:\*+|_+|~+|\++|\^+)/.exec(source.slice(at, at + 8))?.[0] ?? "";
}

/** A run of three opens the pair first and leaves the single one inside it. */
function openingOf(source: string, at: number, run: string): string {
  const delimiter = run.length === 3 ? run.slice(0, 2) : run;
  if (!(delimiter in delimiters)) return "";
  if (!/\S/.test(source.charAt(at + run.length))) return "";
  if (run.startsWith("_") && isWord(source.charAt(at - 1))) return "";
  return delimiter;
}

function closing(source: string, from: number, delimiter: string): number {
  let at = from;
  while (at < source.length) {
    const char = source.charAt(at);
    const run = runAt(source, at);
    if (char === "\\") at += 2;
    else if (char === "`") at = afterCode(source, at);
    else if (run === "") at += 1;
    else {
      const fits = run.startsWith(delimiter) && (run.length === delimiter.length || run.length === 3);
      const end = at + run.length;
      const before = source.charAt(at - 1);
      const insideWord = run.startsWith("_") && isWord(source.charAt(end));
      if (fits && at > from && /\S/.test(before) && !insideWord) return end - delimiter.length;
      at = end;
    }
  }
  return -1;
}

function afterCode(source: string, at: number): number {
  const ticks = /^`+/.exec(source.slice(at))?.[0] ?? "`";
  const end = source.indexOf(ticks, at + ticks.length);
  return end < 0 ? at + ticks.length : end + ticks.length;
}

const isWord = (char: string): boolean => /[\p{L}\p{N}_]/u.test(char);
