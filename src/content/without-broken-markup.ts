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
  const text = source
    .replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, "")
    .replace(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]*>/gi, "\n")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replaceAll("<", "&lt;");
  return textOf(fragmentParser.parse(text));
}
