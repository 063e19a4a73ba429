import { toString as textOf } from "hast-util-to-string";
import type { Parsed } from "./parse.ts";
import { fragmentParser } from "./parse-html.ts";
import { parsePlain } from "./parse-plain.ts";
import type { TextFormat } from "./post.ts";
import { type ContentErrorCode, repairTexts } from "./problem.ts";

/** What is wrong with the markup only; the text itself can be sent. */
const markupFaults: ReadonlySet<ContentErrorCode> = new Set([
  ...(["nested_too_deeply", "tag_unclosed", "tag_unfinished", "mark_unclosed"] as const),
]);

/** A reading that failed at the markup, done again without any; every other one as it is. */
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

/** Finished tags go, an unfinished one is text: cutting it would take words with it. */
function withoutTags(source: string): string {
  const text = withoutElement("style", withoutElement("script", source))
    .replace(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]*>/gi, "\n")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replaceAll("<", "&lt;");
  return textOf(fragmentParser.parse(text));
}

/** The source without these elements and what they hold. One that is never closed stays, and so does all after it. */
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
