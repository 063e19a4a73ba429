import type { LossLog, Mark, MarkedText, MarkKind } from "../../content/index.ts";
import { entitiesShown } from "./limits.ts";

export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly user?: { readonly id: number };
  readonly language?: string;
  readonly custom_emoji_id?: string;
}

/**
 * Marks as Telegram's entities. Its rules: decorations nest freely but never overlap code; code, links, mentions and
 * custom emoji cannot contain each other; quotes contain anything but quotes.
 */
export function entitiesOf({ text, marks: all }: MarkedText, losses: LossLog): Entity[] {
  const inHeading = heldBy(all, ({ type }) => type === "heading");
  // A heading is bold already, so bold inside it is dropped.
  const marks = all.filter((mark) => mark.kind.type !== "bold" || !inHeading.has(mark));
  const inLink = heldBy(marks, ({ type }) => type === "link" || type === "mention");
  const code = marks.filter((mark) => isCode(mark) && !inLink.has(mark));
  let firstCode = 0;
  const entities = marks.flatMap((mark): Entity[] => {
    const entity = entityOf(mark, losses);
    if (!entity) return [];
    if ((isCode(mark) || mark.kind.type === "emoji") && inLink.has(mark)) {
      losses.add(mark.kind.type === "emoji" ? "emoji_as_text" : "code_as_text");
      return [];
    }
    if (!decorating.has(entity.type)) return [entity];
    while (firstCode < code.length && endOf(code[firstCode]) <= mark.offset) firstCode += 1;
    return around(entity, within(entity, code, firstCode), text);
  });
  if (entities.length > entitiesShown) losses.add("many_marks");
  return entities.toSorted(byPlace);
}

const decorating = new Set(["bold", "italic", "underline", "strikethrough", "spoiler"]);

const sameName = {
  bold: "bold",
  italic: "italic",
  underline: "underline",
  strike: "strikethrough",
  spoiler: "spoiler",
  code: "code",
} as const satisfies Partial<Record<MarkKind["type"], string>>;

function entityOf({ kind, offset, length }: Mark, losses: LossLog): Entity | undefined {
  switch (kind.type) {
    case "heading":
      losses.add("heading_as_bold");
      return { type: "bold", offset, length };
    case "quote":
      return { type: kind.expandable ? "expandable_blockquote" : "blockquote", offset, length };
    case "pre":
      return { type: "pre", offset, length, ...(kind.language && { language: kind.language }) };
    case "link":
      return { type: "text_link", offset, length, url: kind.url };
    case "emoji":
      return { type: "custom_emoji", offset, length, custom_emoji_id: kind.id };
    case "mention":
      if (kind.network === "telegram")
        return { type: "text_mention", offset, length, user: { id: Number(kind.userId) } };
      losses.add("mention_as_text");
      return undefined;
    case "highlight":
      losses.add("highlight_as_text");
      return undefined;
    default:
      return { type: sameName[kind.type], offset, length };
  }
}

function isCode({ kind: { type } }: Mark): boolean {
  return type === "code" || type === "pre";
}

interface Span {
  readonly offset: number;
  readonly length: number;
}

function endOf(span: Span | undefined): number {
  return span === undefined ? 0 : span.offset + span.length;
}

/**
 * The marks that lie within one of a kind. Marks are sorted and none crosses another, so the enclosing ones form a
 * stack: one pass is enough.
 */
function heldBy(marks: readonly Mark[], isHolder: (kind: MarkKind) => boolean): ReadonlySet<Mark> {
  const held = new Set<Mark>();
  let reach = 0;
  for (const mark of marks) {
    if (endOf(mark) <= reach) held.add(mark);
    if (isHolder(mark.kind)) reach = Math.max(reach, endOf(mark));
  }
  return held;
}

/**
 * The spans that overlap this one. Spans are sorted and disjoint; the search starts at the first that ends after its
 * start.
 */
function within(span: Span, spans: readonly Span[], first: number): Span[] {
  const found: Span[] = [];
  for (let index = first; index < spans.length; index++) {
    const next = spans[index];
    if (!next || next.offset >= endOf(span)) break;
    found.push(next);
  }
  return found;
}

/** The parts of a decoration outside code, trimmed of whitespace. */
function around(entity: Entity, code: readonly Span[], text: string): Entity[] {
  const end = entity.offset + entity.length;
  const parts: Entity[] = [];
  let start = entity.offset;
  for (const { offset, length } of [...code, { offset: end, length: 0 }]) {
    const outside = text.slice(start, offset);
    const { length: seen } = outside.trim();
    const blanks = outside.length - outside.trimStart().length;
    if (seen > 0) parts.push({ ...entity, offset: start + blanks, length: seen });
    start = Math.max(start, offset + length);
  }
  return parts;
}

/** Order of entities over the same text: the outer one comes first in this list. */
const outerFirst = [
  ...["blockquote", "expandable_blockquote", "text_link", "text_mention"],
  ...["bold", "italic", "underline", "strikethrough", "spoiler", "custom_emoji", "code", "pre"],
];

function byPlace(a: Entity, b: Entity): number {
  return (
    a.offset - b.offset || b.length - a.length || outerFirst.indexOf(a.type) - outerFirst.indexOf(b.type)
  );
}
