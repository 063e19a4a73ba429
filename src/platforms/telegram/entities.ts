import type { Flow, LossLog, Mark, MarkKind } from "../../content/index.ts";
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
 * Marks as Telegram's entities. Its rules: decorations nest freely but never touch code; code, links,
 * mentions and custom emoji hold none of each other; quotes hold anything but quotes.
 */
export function entitiesOf({ text, marks: all }: Flow, losses: LossLog): Entity[] {
  const headings = all.filter(({ kind }) => kind.type === "heading");
  // A heading is bold already; bold words inside it add nothing.
  const marks = all.filter(
    (mark) => mark.kind.type !== "bold" || !headings.some((heading) => holds(heading, mark)),
  );
  const links = marks.filter(({ kind }) => kind.type === "link" || kind.type === "mention");
  const code = marks.filter((mark) => isCode(mark) && !links.some((link) => holds(link, mark)));
  const entities = marks.flatMap((mark): Entity[] => {
    const entity = entityOf(mark, losses);
    if (!entity) return [];
    if ((isCode(mark) || mark.kind.type === "emoji") && links.some((link) => holds(link, mark))) {
      losses.add(mark.kind.type === "emoji" ? "emoji_as_text" : "code_as_text");
      return [];
    }
    return decorating.has(entity.type) ? around(entity, code, text) : [entity];
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

function holds(outer: Span, inner: Span): boolean {
  return inner.offset >= outer.offset && inner.offset + inner.length <= outer.offset + outer.length;
}

/** The parts of a decoration that lie outside code, without blanks at their ends. */
function around(entity: Entity, code: readonly Span[], text: string): Entity[] {
  const end = entity.offset + entity.length;
  const parts: Entity[] = [];
  let start = entity.offset;
  for (const { offset, length } of [
    ...code.filter((span) => overlaps(entity, span)),
    { offset: end, length: 0 },
  ]) {
    const outside = text.slice(start, offset);
    const { length: seen } = outside.trim();
    const blanks = outside.length - outside.trimStart().length;
    if (seen > 0) parts.push({ ...entity, offset: start + blanks, length: seen });
    start = Math.max(start, offset + length);
  }
  return parts;
}

function overlaps(a: Span, b: Span): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}

/** Of entities over the same text, the outer comes first in this list. */
const outerFirst = [
  ...["blockquote", "expandable_blockquote", "text_link", "text_mention"],
  ...["bold", "italic", "underline", "strikethrough", "spoiler", "custom_emoji", "code", "pre"],
];

function byPlace(a: Entity, b: Entity): number {
  return (
    a.offset - b.offset || b.length - a.length || outerFirst.indexOf(a.type) - outerFirst.indexOf(b.type)
  );
}
