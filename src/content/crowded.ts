import { at } from "./clean-text.ts";
import { type ContentError, positionAt } from "./problem.ts";

/**
 * Pairing the markers of Markdown takes quadratic time in their number per paragraph. A run counts as one marker; so does `@`,
 * where finding out whether a mail address begins is slow.
 */
const mostSigns = { paragraph: 1_000, text: 4_000 };

/** A list of this many lines takes remark a fifth of a second; posts are less than a tenth as long. */
const mostLines = 1_000;

/** Returns an error if Markdown has too many lines to be parsed quickly. */
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

/** Returns an error if a Markdown parser would take too long for the text. */
export function crowded(source: string): ContentError | undefined {
  let inText = 0;
  let offset = 0;
  // Each blank line is matched by its own line end: looking back over all of them would take quadratic time.
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
