import { cleanText } from "./clean-text.ts";
import { inlinesOf, paragraphsOf } from "./inlines.ts";
import type { Parsed } from "./parse.ts";
import { createRepairLog } from "./problem.ts";

/** Plain text: only line ends have a meaning. */
export function parsePlain(source: string): Parsed {
  const log = createRepairLog(source);
  const text = cleanText(source, (index) => log.add("characters_removed", index));
  return { ok: true, document: { blocks: paragraphsOf(inlinesOf(text)) }, repairs: log.repairs };
}
