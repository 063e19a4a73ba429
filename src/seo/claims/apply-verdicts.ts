import type { Heading } from "mdast";
import { type Holder, type Prose, proseOf, referenceAt, type Span } from "../render/prose.ts";
import { markdownTree } from "../render/read-markdown.ts";
import type { Verdict } from "./ledger.ts";

/**
 * Removes every sentence that failed from the Markdown that was checked. Paragraphs, list items, quotes and rows that become empty
 * go too; so do lists and sections left without text, and a line that announced a list which is gone. `checked` is the text as it was
 * checked, if something in it stood for other characters: as long, and with the same blocks.
 */
export function applyVerdicts(markdown: string, verdicts: readonly Verdict[], checked = markdown): string {
  return cutSentences(markdown, failedPlaces(verdicts), checked);
}

export const failedPlaces = (verdicts: readonly Verdict[]): Verdict["place"][] =>
  verdicts.flatMap(({ outcome, place }) => (outcome === "failed" ? [place] : []));

/** The same for sentences at these places. */
export function cutSentences(
  markdown: string,
  places: readonly Verdict["place"][],
  checked = markdown,
): string {
  if (places.length === 0) return markdown;
  const proses = proseOf(checked);
  const cuts = proses.map((prose, number) => cutOf(prose, spansOf(places, number), markdown));
  const gone = new Set(cuts.flatMap((cut, number) => (cut === "all" ? [number] : [])));
  if (cuts.every((cut) => cut !== "all" && cut.length === 0)) return markdown;
  const blocks = blocksToRemove(proses, gone, markdown);
  const edits: Edit[] = [
    ...blocks.map((block) => ({ ...wholeLines(block, markdown), text: "" })),
    ...cuts.flatMap((cut) => (cut === "all" ? [] : cut.map((span) => ({ ...span, text: "" })))),
    ...renumbered(proses, gone, markdown),
  ];
  const rest = edited(markdown, edits);
  // A section is empty only if a whole block of it went.
  return blocks.length === 0 ? rest : withoutEmptySections(rest, checked);
}

interface Edit extends Span {
  readonly text: string;
}

const spansOf = (places: readonly Verdict["place"][], prose: number): readonly Span[] =>
  places.filter((place) => place.prose === prose);

/** What to delete in the source of a paragraph: parts of it, or all if nothing readable remains. */
function cutOf(
  { kind, text, places, wrapped }: Prose,
  spans: readonly Span[],
  markdown: string,
): readonly Span[] | "all" {
  if (spans.length === 0) return [];
  const isCut = Array.from({ length: text.length }, (_, at) =>
    spans.some(({ start, end }) => start <= at && at < end),
  );
  // As it is written: the place of a picture remains, whatever stood for it.
  const rest = Array.from({ length: text.length }, (_, at) =>
    isCut[at] ? "" : (markdown[places[at] ?? -1] ?? text[at] ?? ""),
  ).join("");
  if (kind === "row" || !/[\p{L}\p{N}]/u.test(rest)) return "all";
  // The spaces after a sentence go with it; those before it, too, if nothing follows.
  for (const { end } of spans) {
    let at = end;
    while (at < text.length && /\s/.test(text.charAt(at))) isCut[at++] = true;
  }
  for (let last = text.length - 1; isCut[last] || /\s/.test(text.charAt(last)); last--) isCut[last] = true;
  const whole = wrapped.filter(({ start, end }) => end > start && isCut.slice(start, end).every(Boolean));
  const cuts: Span[] = whole.map(({ source }) => source);
  for (let at = 0; at < text.length; at++) {
    if (!isCut[at] || whole.some(({ start, end }) => start <= at && at < end)) continue;
    const start = places[at];
    // Where the source is written differently from what is read, no part of it can be cut with certainty.
    if (start === undefined) return "all";
    cuts.push({ start, end: endOf(text, places, at, markdown) });
  }
  return cuts;
}

/** Where a unit of the text ends in the source; a line end reaches over the marks of the next line. */
function endOf(text: string, places: Prose["places"], at: number, markdown: string): number {
  const start = places[at] ?? 0;
  if (markdown[start] === "\n") return places[at + 1] ?? start + 1;
  if (markdown[start] === text[at])
    return start + (text[at] === "&" ? (referenceAt(markdown, start)?.length ?? 1) : 1);
  return start + (markdown[start] === "\\" ? 2 : (referenceAt(markdown, start)?.length ?? 1));
}

const keyOf = ({ start, end, type }: Holder): string => `${type} ${start} ${end}`;

/** Paragraphs that are gone, or the largest blocks in which everything is. */
function blocksToRemove(proses: readonly Prose[], gone: Set<number>, markdown: string): Span[] {
  const isEmptied = emptiedHolders(proses, gone);
  for (const [number, { holders }] of proses.entries()) {
    const list = holders.findLast(({ type }) => type === "list");
    if (!list || !isEmptied(list)) continue;
    const before = proses[number - 1];
    const announces = before?.text.trimEnd().endsWith(":") && before.holders.length === 0;
    if (before && announces && markdown.slice(before.source.end, list.start).trim() === "")
      gone.add(number - 1);
  }
  return [...gone].flatMap((number) => {
    const prose = proses[number];
    return prose ? [prose.holders.findLast(isEmptied) ?? prose.source] : [];
  });
}

function emptiedHolders(proses: readonly Prose[], gone: ReadonlySet<number>): (holder: Holder) => boolean {
  const kept = new Set(proses.flatMap(({ holders }, number) => (gone.has(number) ? [] : holders.map(keyOf))));
  return (holder) => !kept.has(keyOf(holder));
}

/** The number of an ordered list's first item passes to the first that remains. */
function renumbered(proses: readonly Prose[], gone: ReadonlySet<number>, markdown: string): Edit[] {
  const isEmptied = emptiedHolders(proses, gone);
  const items = new Map<string, Holder[]>();
  for (const { holders } of proses) {
    const at = holders.findIndex(({ type }) => type === "item");
    const item = holders[at];
    const list = holders[at + 1];
    if (!item || !list?.ordered) continue;
    const known = items.get(keyOf(list)) ?? [];
    if (!known.some(({ start }) => start === item.start)) items.set(keyOf(list), [...known, item]);
  }
  return [...items.values()].flatMap((list) => {
    const [first] = list;
    const remaining = list.find((item) => !isEmptied(item));
    if (!first || !remaining || remaining === first) return [];
    const numberAt = ({ start }: Holder) => /^\d{1,9}/.exec(markdown.slice(start, start + 9))?.[0] ?? "";
    const number = numberAt(remaining);
    return [{ start: remaining.start, end: remaining.start + number.length, text: numberAt(first) }];
  });
}

/** A block with the marks before it on its line and the line end after it. */
function wholeLines({ start, end }: Span, markdown: string): Span {
  const lineStart = markdown.lastIndexOf("\n", start - 1) + 1;
  const isFirst = /^[\s>]*$/.test(markdown.slice(lineStart, start));
  const lineEnd = markdown.indexOf("\n", end);
  const to = lineEnd < 0 ? markdown.length : lineEnd + 1;
  const isLast = markdown.slice(end, to).trim() === "";
  return { start: isFirst ? lineStart : start, end: isLast ? to : end };
}

function edited(markdown: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    result += markdown.slice(at, Math.max(at, start)) + text;
    at = end;
    // A removed block leaves the blank lines of both sides.
    if (text === "" && end - start > 1) while (result.endsWith("\n\n") && markdown[at] === "\n") at += 1;
  }
  return result + markdown.slice(at);
}

function withoutEmptySections(markdown: string, original: string): string {
  const wereEmpty = new Set(emptyHeadings(original).map(({ start, end }) => original.slice(start, end)));
  const [empty] = emptyHeadings(markdown).filter(
    ({ start, end }) => !wereEmpty.has(markdown.slice(start, end)),
  );
  if (!empty) return markdown;
  return withoutEmptySections(edited(markdown, [{ ...wholeLines(empty, markdown), text: "" }]), original);
}

/** Headings without anything before the next one of their level or the end. */
function emptyHeadings(markdown: string): Span[] {
  const children = markdownTree(markdown)?.children ?? [];
  return children.flatMap((node, index) => {
    if (node.type !== "heading") return [];
    const next = children[index + 1];
    const isEmpty = next === undefined || (next.type === "heading" && next.depth <= node.depth);
    return isEmpty ? [spanOf(node)] : [];
  });
}

function spanOf({ position }: Heading): Span {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}
