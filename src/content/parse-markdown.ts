import type { ElementContent, Root } from "hast";
import type { Nodes } from "mdast";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { deepest } from "./check-tags.ts";
import { crowded, tooDeep } from "./crowded.ts";
import { documentFromHast } from "./from-hast.ts";
import { markersTooDeep } from "./markdown-markers.ts";
import { markdownTree } from "./markdown-tree.ts";
import type { Parsed } from "./parse.ts";
import { type ContentError, createRepairLog, type RepairLog } from "./problem.ts";

/** CommonMark with GitHub's additions; a single line end is a break, as authors of posts expect. */
export function parseMarkdown(source: string): Parsed {
  const log = createRepairLog(source);
  const read = hastFromMarkdown(source, log);
  if (!read.ok) return read;
  const document = documentFromHast(read.tree, { log, paragraphLineEnds: "break" });
  return { ok: true, document, repairs: log.repairs };
}

/** The same as an HTML tree; HTML within it stays text. */
export function hastFromMarkdown(
  source: string,
  log: RepairLog,
): { readonly ok: true; readonly tree: Root } | { readonly ok: false; readonly error: ContentError } {
  const markers = markersTooDeep(source);
  if (markers !== undefined) return { ok: false, error: tooDeep(source, markers) };
  const crowd = crowded(source);
  if (crowd) return { ok: false, error: crowd };
  const tree = markdownTree(source);
  const deep = tooDeepIn(tree);
  if (deep !== undefined) return { ok: false, error: tooDeep(source, deep) };
  return { ok: true, tree: toHast(log).runSync(tree) };
}

/** The converter of the package silently drops HTML; ours keeps it as text. */
function toHast(log: RepairLog) {
  return unified().use(remarkRehype, {
    footnoteLabel: "Примечания",
    handlers: {
      html(
        _state: unknown,
        node: { value: string; position?: { start: { offset?: number } } },
      ): ElementContent {
        log.add("html_as_text", node.position?.start.offset);
        return { type: "text", value: node.value };
      },
    },
  });
}

/** Without recursion, because this checks the depth. */
function tooDeepIn(tree: Nodes): number | undefined {
  let level: Nodes[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    const [first] = level;
    if (depth > deepest) return first?.position?.start.offset ?? 0;
    level = level.flatMap((node): Nodes[] => ("children" in node ? node.children : []));
  }
  return undefined;
}
