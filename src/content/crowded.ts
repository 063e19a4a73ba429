import { at } from "./clean-text.ts";
import { type ContentError, positionAt } from "./problem.ts";

/**
 * Pairing signs of Markdown takes time that grows with the square of their number in a paragraph. A run is one sign; `@` is
 * where a mail address may begin, and finding out is slow.
 */
const mostSigns = { paragraph: 1_000, text: 4_000 };

/** A list of this many lines keeps remark busy for a fifth of a second; no post is a tenth as long. */
const mostLines = 1_000;

/** The refusal of Markdown with more lines than are read in good time, or nothing. */
export function tooManyLines(source: string): ContentError | undefined {
  let lines = 1;
  for (const { index, 0: end } of source.matchAll(/\r\n|\r|\n/g)) {
    if (++lines <= mostLines) continue;
    const position = positionAt(source, index + end.length);
    const message = `the text has more than ${mostLines} lines, which is as many as are read as Markdown; the limit is ${at(position)}`;
    return { code: "text_too_large", message, position };
  }
  return undefined;
}

/** The refusal of a text that would take a parser of Markdown too long, or nothing. */
export function crowded(source: string): ContentError | undefined {
  let inText = 0;
  let offset = 0;
  // Blank lines are told apart by their own line ends: looking back over all of them takes the square of their number.
  for (const paragraph of source.split(/(?<=\n[^\S\n]*\n)/)) {
    const inParagraph = paragraph.match(/\*+|_+|~+|`+|[[\]<@]/g)?.length ?? 0;
    inText += inParagraph;
    if (inParagraph > mostSigns.paragraph || inText > mostSigns.text) return tooDeep(source, offset);
    offset += paragraph.length;
  }
  return undefined;
}

export function tooDeep(source: string, offset: number): ContentError {
  const position = positionAt(source, offset);
  const message = `the markup is nested too deeply or too dense to be read, ${at(position)}`;
  return { code: "nested_too_deeply", message, position };
}
