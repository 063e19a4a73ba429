import type { Heading, Nodes, Paragraph, Root, RootContent, Text } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

const reader = unified().use(remarkParse).use(remarkGfm);

/**
 * The tree of Markdown, as the parser makes it. Paragraphs and headings without any markup, most of an article, take it longest and
 * need it least: they are read here, and what stands between them there.
 */
export function markdownTree(source: string): Root {
  if (reachesOverBlankLines.test(source)) return reader.parse(source);
  const blocks = blocksOf(source);
  if (!blocks.some(({ node }) => node)) return reader.parse(source);
  const children: RootContent[] = [];
  for (let at = 0; at < blocks.length; at++) {
    const first = blocks[at];
    if (!first) break;
    if (first.node) {
      children.push(first.node);
      continue;
    }
    let last = first;
    while (at + 1 < blocks.length && !blocks[at + 1]?.node) last = blocks[++at] ?? last;
    for (const node of reader.parse(source.slice(first.start, last.end)).children) {
      moveDown(node, first.line - 1, first.start);
      children.push(node);
    }
  }
  const lines = source.split("\n");
  const end = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, offset: source.length };
  return { type: "root", children, position: { start: { line: 1, column: 1, offset: 0 }, end } };
}

/**
 * Fenced code, HTML, and definitions of links and notes concern what stands after a blank line; code by indentation takes blank lines
 * with spaces for its own. The rest is other line ends.
 */
const reachesOverBlankLines = /[\r\0<]|```|~~~|\]:|\[\^|^[ \t]+$/m;

/** Lines with no blank one between them. */
interface Block {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** What it is, if it has no markup. */
  readonly node: Paragraph | Heading | undefined;
}

function blocksOf(source: string): Block[] {
  const blocks: Block[] = [];
  let open: { start: number; line: number; lines: number } | undefined;
  let line = 1;
  const close = (end: number) => {
    if (!open) return;
    const { start, line: first, lines } = open;
    const node = lines === 1 ? plainNode(source.slice(start, end), start, first) : undefined;
    blocks.push({ start, end, line: first, node });
    open = undefined;
  };
  for (let start = 0; start <= source.length; line++) {
    const found = source.indexOf("\n", start);
    const end = found < 0 ? source.length : found;
    if (/\S/.test(source.slice(start, end))) {
      open ??= { start, line, lines: 0 };
      open.lines++;
    } else close(start - 1);
    start = end + 1;
    if (found < 0) close(end);
  }
  return blocks;
}

/** Nothing in it begins markup, a reference or an address, and its first sign no block. */
const plain = /^[\p{L}«„“(][^\\`*_[\]<>&~|#@\t]*$/u;
const address = /www\.|:\/\//i;

function plainNode(text: string, offset: number, line: number): Paragraph | Heading | undefined {
  const [, marks = "", heading] = /^(#{1,6}) (\S.*)$/.exec(text) ?? [];
  const words = heading ?? text;
  if (!plain.test(words) || words.endsWith(" ") || address.test(words)) return undefined;
  const from = heading === undefined ? 0 : marks.length + 1;
  const placed = (start: number) => ({
    start: { line, column: start + 1, offset: offset + start },
    end: { line, column: text.length + 1, offset: offset + text.length },
  });
  const children: Text[] = [{ type: "text", value: words, position: placed(from) }];
  if (heading === undefined) return { type: "paragraph", children, position: placed(0) };
  const depth = ([1, 2, 3, 4, 5, 6] as const)[marks.length - 1];
  return depth && { type: "heading", depth, children, position: placed(0) };
}

function moveDown(node: Nodes, lines: number, offset: number): void {
  for (const point of [node.position?.start, node.position?.end])
    if (point) {
      point.line += lines;
      point.offset = (point.offset ?? 0) + offset;
    }
  if ("children" in node) for (const child of node.children) moveDown(child, lines, offset);
}
