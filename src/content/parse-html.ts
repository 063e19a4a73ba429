import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { checkTags } from "./check-tags.ts";
import { documentFromHast } from "./from-hast.ts";
import type { Parsed } from "./parse.ts";
import { createRepairLog } from "./problem.ts";

export const fragmentParser = unified().use(rehypeParse, { fragment: true });

/**
 * Parses HTML of messengers and feeds. A line end is a break in bare text, as in Telegram's dialect, and a space inside blocks
 * such as `<p>`, as in HTML.
 */
export function parseHtml(source: string): Parsed {
  const log = createRepairLog(source);
  const error = checkTags(source, log);
  if (error) return { ok: false, error };
  const document = documentFromHast(fragmentParser.parse(source), { log, paragraphLineEnds: "space" });
  return { ok: true, document, repairs: log.repairs };
}
