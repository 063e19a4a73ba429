import { deepest } from "./check-tags.ts";

/** Remark needs a third of a millisecond for each, and more the deeper it is nested. Also the limit of lines of a text. */
const mostMarkers = 1_000;

/**
 * Finds where markers of quotes and lists become too deep or too many. The parser takes quadratic time in the depth, so a bomb
 * is found before parsing. Without a regular expression: one for markers with spaces in between would backtrack without end.
 */
export function markersTooDeep(source: string): number | undefined {
  let start = 0;
  let inText = 0;
  while (start < source.length) {
    const lineEnd = source.indexOf("\n", start);
    const end = lineEnd < 0 ? source.length : lineEnd;
    const inLine = markersIn(source, start, end);
    inText += inLine;
    if (inLine >= deepest || inText > mostMarkers) return start;
    start = end + 1;
  }
  return undefined;
}

/** How many containers a line opens. A line of nothing but `-` or `*` is a divider, however long. */
function markersIn(source: string, start: number, end: number): number {
  let count = 0;
  let kinds = "";
  let at = skipBlanks(source, start, end);
  while (at < end && count < deepest) {
    const length = markerLength(source, at, end);
    if (length === 0) return count;
    const kind = source.charAt(at + length - 1);
    if (!kinds.includes(kind)) kinds += kind;
    count += 1;
    at = skipBlanks(source, at + length, end);
  }
  const isDivider = (kinds === "-" || kinds === "*") && isOnly(source, at, end, kinds);
  return isDivider ? 0 : count;
}

/** `>` always opens a quote; a list marker is followed by a space or the end of the line. */
function markerLength(source: string, at: number, end: number): number {
  if (source[at] === ">") return 1;
  let length = 0;
  while (length < 9 && isDigit(source[at + length])) length += 1;
  if (!(length === 0 ? /[-+*]/ : /[.)]/).test(source.charAt(at + length))) return 0;
  length += 1;
  return at + length >= end || isBlankSign(source[at + length]) ? length : 0;
}

function skipBlanks(source: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlankSign(source[at])) at += 1;
  return at;
}

function isOnly(source: string, from: number, end: number, kind: string): boolean {
  for (let at = from; at < end; at++) if (source[at] !== kind && !isBlankSign(source[at])) return false;
  return true;
}

function isBlankSign(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\r";
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}
