import { at } from "./clean-text.ts";
import { type ContentError, positionAt } from "./problem.ts";

/** Pairing signs of Markdown takes time that grows with the square of their number in a paragraph. A run is one sign. */
const mostSigns = { paragraph: 1_000, text: 4_000 };

/** The refusal of a text that would take a parser of Markdown too long, or nothing. */
export function crowded(source: string): ContentError | undefined {
  let inText = 0;
  let offset = 0;
  for (const paragraph of source.split(/(?<=\n\s*\n)/)) {
    const inParagraph = paragraph.match(/\*+|_+|~+|`+|[[\]<]/g)?.length ?? 0;
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
