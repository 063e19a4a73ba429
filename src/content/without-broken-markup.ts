import { toString as textOf } from "hast-util-to-string";
import type { Parsed } from "./parse.ts";
import { fragmentParser } from "./parse-html.ts";
import { parsePlain } from "./parse-plain.ts";
import type { TextFormat } from "./post.ts";
import { type ContentErrorCode, repairTexts } from "./problem.ts";

/** Errors in the markup only; the text itself can be sent. */
const markupFaults: ReadonlySet<ContentErrorCode> = new Set([
  ...(["nested_too_deeply", "tag_unclosed", "tag_unfinished", "mark_unclosed"] as const),
]);

/** If parsing failed because of the markup, parses the text again without markup. */
export function withoutBrokenMarkup(source: string, format: TextFormat, parsed: Parsed): Parsed {
  if (parsed.ok || !markupFaults.has(parsed.error.code)) return parsed;
  const plain = parsePlain(format === "html" ? withoutTags(source) : source);
  if (!plain.ok) return plain;
  const { message, position } = parsed.error;
  const repair = {
    code: "markup_dropped",
    message: `${repairTexts.markup_dropped}: ${message}`,
    ...(position && { position }),
  } as const;
  return { ...plain, repairs: [repair, ...plain.repairs] };
}

/** Removes complete tags; an incomplete one stays as text, because removing it would remove words. */
function withoutTags(source: string): string {
  const text = withoutElement("style", withoutElement("script", source))
    .replace(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]*>/gi, "\n")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replaceAll("<", "&lt;");
  return textOf(fragmentParser.parse(text));
}

/** Removes these elements with their content. One that is never closed stays, with everything after it. */
function withoutElement(name: "script" | "style", source: string): string {
  const [opening, closing] =
    name === "script" ? [/<script\b[^<>]*>/gi, /<\/script\s*>/gi] : [/<style\b[^<>]*>/gi, /<\/style\s*>/gi];
  const kept: string[] = [];
  let at = 0;
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    closing.lastIndex = opening.lastIndex;
    if (!closing.test(source)) break;
    kept.push(source.slice(at, found.index));
    at = closing.lastIndex;
    opening.lastIndex = at;
  }
  return [...kept, source.slice(at)].join("");
}
