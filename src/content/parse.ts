import { at, findForbidden } from "./clean-text.ts";
import { tooManyLines } from "./crowded.ts";
import type { Document } from "./document.ts";
import { parseHtml } from "./parse-html.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { parseMaxMarkdown } from "./parse-max-markdown.ts";
import { parsePlain } from "./parse-plain.ts";
import { parseTelegramLegacy } from "./parse-telegram-legacy.ts";
import { parseTelegramMarkdown } from "./parse-telegram-markdown.ts";
import type { MarkdownDialect, TextFormat } from "./post.ts";
import { type ContentError, positionAt, type Repair } from "./problem.ts";

export type Parsed =
  | { readonly ok: true; readonly document: Document; readonly repairs: readonly Repair[] }
  | { readonly ok: false; readonly error: ContentError };

/** Far above the limit of any platform; limits the work that a hostile text can cause. */
export const longestSource = 100_000;

const dialects: Record<MarkdownDialect, (source: string) => Parsed> = {
  commonmark: parseMarkdown,
  telegram: parseTelegramMarkdown,
  telegram_legacy: parseTelegramLegacy,
  max: parseMaxMarkdown,
};

/**
 * Parses a text into a document. What can be repaired without guessing is repaired and reported; anything else is refused
 * with its place.
 */
export function parseContent(
  source: string,
  format: TextFormat,
  dialect: MarkdownDialect = "commonmark",
): Parsed {
  if (source.length > longestSource) {
    const position = positionAt(source, longestSource);
    const message = `the text has ${source.length} UTF-16 units, at most ${longestSource} are read; the limit is ${at(position)}`;
    return { ok: false, error: { code: "text_too_large", message, position } };
  }
  const error = findForbidden(source);
  if (error) return { ok: false, error };
  if (format === "html") return parseHtml(source);
  if (format === "plain") return parsePlain(source);
  const crowd = tooManyLines(source);
  return crowd ? { ok: false, error: crowd } : dialects[dialect](source);
}
