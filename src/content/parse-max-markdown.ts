import { blocksOf, inlinesOnly, type Node } from "./blocks.ts";
import { type CleanSource, cleanSource } from "./clean-source.ts";
import { crowded } from "./crowded.ts";
import type { Decoration, Inline } from "./document.ts";
import { inlinesOf, isBlank } from "./inlines.ts";
import { linkTo } from "./link-to.ts";
import type { Parsed } from "./parse.ts";
import { codeOf, preOf } from "./parse-telegram-markdown.ts";

/** Markers that open and close. A single `~`, `+` or `^` is plain text. */
const decorations: ReadonlyMap<string, Decoration> = new Map([
  ["**", "bold"],
  ["__", "bold"],
  ["*", "italic"],
  ["_", "italic"],
  ["~~", "strike"],
  ["++", "underline"],
  ["^^", "highlight"],
]);

const headingShape = /^(#{1,6})[ \t]+(?![ \t])(.*)$/;

/**
 * MAX's own Markdown. A parser of our own, because no package knows `++` and `^^` and the grammar is small. A marker without
 * a partner is plain text, as in MAX.
 */
export function parseMaxMarkdown(source: string): Parsed {
  const crowd = crowded(source);
  if (crowd) return { ok: false, error: crowd };
  const clean = cleanSource(source);
  const nodes: Node[] = [];
  let offset = 0;
  for (const [index, part] of partsOf(clean.text).entries()) {
    if (index > 0) nodes.push({ type: "break" });
    const [, signs, title] = headingShape.exec(part) ?? [];
    if (signs === undefined || title === undefined) nodes.push(...readInlines(part, offset, clean));
    else {
      const children = inlinesOnly(readInlines(title, offset + part.length - title.length, clean));
      if (!isBlank(children)) nodes.push({ type: "heading", level: signs.length, children });
    }
    offset += part.length + 1;
  }
  return { ok: true, document: { blocks: blocksOf(nodes) }, repairs: clean.log.repairs };
}

/** A heading is one line; the lines between headings are parsed together, because marks may span them. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let open = false;
  for (const line of text.split("\n")) {
    const isHeading = headingShape.test(line);
    if (open && !isHeading) parts.push(`${parts.pop()}\n${line}`);
    else parts.push(line);
    open = !isHeading;
  }
  return parts;
}

interface Frame {
  readonly sign: string;
  readonly nodes: Node[];
}

function readInlines(text: string, offset: number, clean: CleanSource, inLink = false): Node[] {
  const root: Frame = { sign: "", nodes: [] };
  const open: Frame[] = [root];
  /** Lengths of runs of backticks that do not occur again. */
  const noMoreTicks = new Set<number>();
  let at = 0;

  const add = (...nodes: readonly Node[]) => open.at(-1)?.nodes.push(...nodes);

  while (at < text.length) {
    const rest = text.slice(at);
    const [plain] = /^(?:[^\\`[*_~+^]|\\(?![!-/:-@[-`{-~]))+/.exec(rest) ?? [];
    const [run] = /^(?:\*+|_+|~+|\++|\^+)/.exec(rest) ?? [];
    if (plain !== undefined) {
      add(...inlinesOf(plain));
      at += plain.length;
    } else if (rest.startsWith("\\")) {
      add({ type: "text", text: rest.charAt(1) });
      at += 2;
    } else if (rest.startsWith("`")) at = readCode(rest);
    else if (run !== undefined) {
      readRun(run);
      at += run.length;
    } else at = readLink(rest);
  }
  while (open.length > 1) flatten();
  return root.nodes;

  /** A marker without a partner becomes text, together with what follows it. */
  function flatten(): void {
    const frame = open.pop();
    if (frame) add({ type: "text", text: frame.sign }, ...frame.nodes);
  }

  /** Three characters may be a double and a single marker together. */
  function readRun(run: string): void {
    const character = run.charAt(0);
    const before = text.charAt(at - 1);
    const after = text.charAt(at + run.length);
    const mayClose = /\S/.test(before) && !(character === "_" && isWord(after));
    const mayOpen = /\S/.test(after) && !(character === "_" && isWord(before));
    let left = run.length > 3 ? 0 : run.length;
    while (mayClose && left > 0) {
      const index = open.findLastIndex(
        ({ sign, nodes }) =>
          sign.startsWith(character) && nodes.length > 0 && (sign.length === left || run.length === 3),
      );
      const frame = open[index];
      if (!frame || index === 0 || frame.sign.length > left) break;
      while (open.length - 1 > index) flatten();
      open.pop();
      const type = decorations.get(frame.sign);
      if (type) add(...decorated(type, inlinesOnly(frame.nodes)));
      left -= frame.sign.length;
    }
    const unread = run.length > 3 ? run : run.slice(0, left);
    const signs = unread.length === 3 ? [unread.slice(0, 2), unread.slice(0, 1)] : [unread];
    for (const sign of signs) {
      if (mayOpen && decorations.has(sign) && !open.some((frame) => frame.sign === sign)) {
        open.push({ sign, nodes: [] });
      } else if (sign !== "") add({ type: "text", text: sign });
    }
  }

  function readCode(rest: string): number {
    const ticks = /^`+/.exec(rest)?.[0] ?? "`";
    const after = noMoreTicks.has(ticks.length) ? "" : rest.slice(ticks.length);
    const end = placeOfRun(after, ticks.length);
    if (end < 0) {
      noMoreTicks.add(ticks.length);
      add({ type: "text", text: ticks });
      return at + ticks.length;
    }
    const inside = after.slice(0, end);
    const closed = at + 2 * ticks.length + end;
    const alone = /^\n?$/.test(text.charAt(at - 1)) && /^\n?$/.test(text.charAt(closed));
    if (inside.includes("\n") && alone && open.length === 1 && !inLink) add(preOf(inside));
    else add(...codeOf(inside));
    return closed;
  }

  function readLink(rest: string): number {
    const found = inLink ? null : /^\[((?:\\.|[^\]\\])+)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/.exec(rest);
    const [whole, label = "", address = ""] = found ?? [];
    if (whole === undefined) {
      add({ type: "text", text: "[" });
      return at + 1;
    }
    const children = inlinesOnly(readInlines(label, offset + at + 1, clean, true));
    add(...linkTo(address, children, clean.log, offset + at));
    return at + whole.length;
  }
}

/** The position of the first run of exactly that many backticks, or -1. */
function placeOfRun(text: string, length: number): number {
  for (const { 0: run, index } of text.matchAll(/`+/g)) if (run.length === length) return index;
  return -1;
}

function decorated(type: Decoration, children: Inline[]): Inline[] {
  return isBlank(children) ? children : [{ type, children }];
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}
