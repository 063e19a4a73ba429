import { limits } from "../limits.ts";
import { oneLine } from "../shapes.ts";

export interface Heading {
  readonly level: 1 | 2 | 3;
  readonly text: string;
}

/** Of a heading with its addresses. */
const longestLine = 4_000;

/** Headings of the first three levels in Markdown, outside of code. */
export function headingsIn(markdown: string): Heading[] {
  const found: Heading[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
    if (isCode || found.length >= limits.headings) continue;
    const level = headingLevel(line);
    const text =
      level === undefined ? "" : oneLine(withoutMarks(line.trim().slice(level, longestLine)), limits.heading);
    if (level !== undefined && text) found.push({ level, text });
  }
  return found;
}

function headingLevel(line: string): 1 | 2 | 3 | undefined {
  const marks = /^ {0,3}(#{1,3})\s/.exec(line)?.[1];
  return marks === undefined ? undefined : marks.length === 1 ? 1 : marks.length === 2 ? 2 : 3;
}

/** Words of a text in Markdown, without addresses and marks. */
export function countWords(markdown: string): number {
  return withoutMarks(markdown).match(/[\p{L}\p{N}]+(?:[-’'][\p{L}\p{N}]+)*/gu)?.length ?? 0;
}

/** The words of links and pictures, without addresses and marks. */
function withoutMarks(markdown: string): string {
  return withoutTargets(markdown)
    .replace(/https?:\/\/\S{1,2000}/g, " ")
    .replace(/[*_`#>|[\]]+/g, " ");
}

/** `[текст](адрес)` → `[текст]`, in one pass however many brackets are never closed. */
function withoutTargets(markdown: string): string {
  const closing = /[)\n]/g;
  const kept: string[] = [];
  let at = 0;
  let stop = -1;
  for (;;) {
    const start = markdown.indexOf("](", at);
    if (start < 0) break;
    if (stop < start) {
      closing.lastIndex = start + 2;
      stop = closing.exec(markdown)?.index ?? markdown.length;
    }
    // What is not closed on its line is no link.
    const isLink = markdown[stop] === ")";
    kept.push(markdown.slice(at, isLink ? start + 1 : start + 2));
    at = isLink ? stop + 1 : start + 2;
  }
  return [...kept, markdown.slice(at)].join(" ");
}
