import type { Root } from "hast";
import { checkTags } from "./check-tags.ts";
import { at, findForbidden } from "./clean-text.ts";
import { tooManyLines } from "./crowded.ts";
import { longestSource } from "./parse.ts";
import { fragmentParser } from "./parse-html.ts";
import { hastFromMarkdown } from "./parse-markdown.ts";
import { type ContentError, createRepairLog, positionAt } from "./problem.ts";

/**
 * The HTML tree of a text, behind the same checks as `parseContent` but with everything that a post cannot show: tables,
 * pictures, structured data.
 */
export function parseHast(
  source: string,
  format: "markdown" | "html",
): { readonly ok: true; readonly tree: Root } | { readonly ok: false; readonly error: ContentError } {
  if (source.length > longestSource) {
    const position = positionAt(source, longestSource);
    const message = `the text has ${source.length} UTF-16 units, at most ${longestSource} are read; the limit is ${at(position)}`;
    return { ok: false, error: { code: "text_too_large", message, position } };
  }
  const log = createRepairLog(source);
  const forbidden = findForbidden(source);
  if (forbidden) return { ok: false, error: forbidden };
  if (format === "html") {
    const error = checkTags(source, log);
    return error ? { ok: false, error } : { ok: true, tree: fragmentParser.parse(source) };
  }
  const crowd = tooManyLines(source);
  return crowd ? { ok: false, error: crowd } : hastFromMarkdown(source, log);
}
