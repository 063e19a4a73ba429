/** What the buttons above the text do to it. */
import type { Format } from "./post.ts";

export const marks = ["bold", "italic", "link", "code", "quote", "list"] as const;
export type Mark = (typeof marks)[number];

/** A stretch of the text is replaced, and another one is selected afterwards. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly select: readonly [from: number, to: number];
}

const around: Readonly<Record<"Markdown" | "HTML", Partial<Record<Mark, readonly [string, string]>>>> = {
  Markdown: { bold: ["**", "**"], italic: ["*", "*"], code: ["`", "`"] },
  HTML: {
    bold: ["<b>", "</b>"],
    italic: ["<i>", "</i>"],
    code: ["<code>", "</code>"],
    quote: ["<blockquote>", "</blockquote>"],
  },
};

const lineStarts: Partial<Record<Mark, string>> = { quote: "> ", list: "- " };

export function editFor(
  mark: Mark,
  format: Exclude<Format, "None">,
  text: string,
  from: number,
  to: number,
): Edit {
  if (mark === "link") return link(format, text, from, to);
  const pair = around[format][mark];
  return pair
    ? wrap(pair, text, from, to)
    : startLines(format === "HTML" ? "• " : (lineStarts[mark] ?? ""), text, from, to);
}

/** The same mark twice takes it off again. Spaces at the ends stay outside, because marks do not open before one. */
function wrap([open, close]: readonly [string, string], text: string, given: number, end: number): Edit {
  const chosen = text.slice(given, end);
  const from = given + (chosen.length - chosen.trimStart().length);
  const to = Math.max(from, end - (chosen.length - chosen.trimEnd().length));
  const inner = text.slice(from, to);
  const isOn =
    text.slice(0, from).endsWith(open) &&
    text.slice(to).startsWith(close) &&
    // One star of the two that make a text bold is not italic.
    !(open === "*" && text.slice(0, from).endsWith("**"));
  if (isOn) {
    const start = from - open.length;
    return { from: start, to: to + close.length, insert: inner, select: [start, start + inner.length] };
  }
  const start = from + open.length;
  return { from, to, insert: `${open}${inner}${close}`, select: [start, start + inner.length] };
}

function link(format: "Markdown" | "HTML", text: string, from: number, to: number): Edit {
  const chosen = text.slice(from, to);
  const address = "https://";
  const insert = format === "HTML" ? `<a href="${address}">${chosen}</a>` : `[${chosen}](${address})`;
  // What is missing is typed next: the words first, then the address.
  const at =
    from + (chosen === "" ? insert.indexOf(format === "HTML" ? "</a>" : "]") : insert.indexOf(address));
  return { from, to, insert, select: [at, chosen === "" ? at : at + address.length] };
}

function startLines(start: string, text: string, from: number, to: number): Edit {
  const first = text.lastIndexOf("\n", from - 1) + 1;
  const lines = text.slice(first, to).split("\n");
  const areOn = lines.every((line) => line.startsWith(start));
  const insert = lines.map((line) => (areOn ? line.slice(start.length) : start + line)).join("\n");
  return { from: first, to, insert, select: [first + insert.length, first + insert.length] };
}
