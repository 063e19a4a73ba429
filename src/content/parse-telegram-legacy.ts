import { blocksOf, type Node } from "./blocks.ts";
import { cleanSource } from "./clean-source.ts";
import { at as placed } from "./clean-text.ts";
import { inlinesOf } from "./inlines.ts";
import { linkTo } from "./link-to.ts";
import type { Parsed } from "./parse.ts";
import { codeOf, preOf } from "./parse-telegram-markdown.ts";
import { positionAt } from "./problem.ts";

/** Telegram's Markdown before MarkdownV2: four markers, no nesting, no escapes inside marks. */
export function parseTelegramLegacy(source: string): Parsed {
  const { text, log, original } = cleanSource(source);
  const nodes: Node[] = [];
  // Searched once: a search after every bracket would take quadratic time.
  const lastClose = text.lastIndexOf(")");
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const [plain] = /^(?:\\[_*`[]|[^_*`[\\]|\\)+/.exec(rest) ?? [];
    if (plain !== undefined) {
      nodes.push(...inlinesOf(plain.replace(/\\([_*`[])/g, "$1")));
      at += plain.length;
      continue;
    }
    const fence = rest.startsWith("```") ? "```" : rest.charAt(0);
    const end = text.indexOf(fence === "[" ? "]" : fence, at + fence.length);
    if (end < 0) {
      const position = positionAt(source, original(at));
      const message = `${fence} is not closed, ${placed(position)}`;
      return { ok: false, error: { code: "mark_unclosed", message, position } };
    }
    const inside = text.slice(at + fence.length, end);
    const address = fence === "[" ? addressAt(end + 1) : undefined;
    if (fence === "[" && address === undefined) {
      log.add("sign_as_text", at);
      nodes.push(...inlinesOf(`[${inside}]`));
    } else if (fence === "[") {
      nodes.push(...linkTo(address?.slice(1, -1) ?? "", inlinesOf(inside), log, at));
    } else nodes.push(...marked(fence, inside));
    at = end + fence.length + (address?.length ?? 0);
  }
  return { ok: true, document: { blocks: blocksOf(nodes) }, repairs: log.repairs };

  /** The text in brackets that begins here, brackets included; undefined if none opens here or it is not closed. */
  function addressAt(place: number): string | undefined {
    const close = text[place] === "(" && place < lastClose ? text.indexOf(")", place) : -1;
    return close < 0 ? undefined : text.slice(place, close + 1);
  }
}

function marked(fence: string, inside: string): Node[] {
  if (fence === "```") return [preOf(inside)];
  if (fence === "`") return codeOf(inside);
  if (inside.trim() === "") return inlinesOf(inside);
  return [{ type: fence === "*" ? "bold" : "italic", children: inlinesOf(inside) }];
}
