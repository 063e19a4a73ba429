import { type Entity, endOf, type FormattedText, overlaps } from "./entity.ts";

/** Control characters become spaces; carriage returns and direction overrides are removed. */
export function cleaned({ text, entities }: FormattedText): FormattedText {
  const removed = /[\r\u2028-\u202e]/g;
  const spaced = text.replace(/(?![\n\r])\p{Cc}/gu, " ");
  if (!removed.test(spaced)) return { text: spaced, entities };
  const lengthUpTo = (index: number) => spaced.slice(0, index).replace(removed, "").length;
  return {
    text: spaced.replace(removed, ""),
    entities: entities.map((entity) => {
      const offset = lengthUpTo(entity.offset);
      return { ...entity, offset, length: lengthUpTo(endOf(entity)) - offset };
    }),
  };
}

/** Trims spaces and line breaks; entities are limited to the rest and to visible text. */
export function trimmed({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length;
  const bare = text.trim();
  return {
    text: bare,
    entities: entities
      .map((entity) => {
        const offset = Math.max(0, entity.offset - start);
        return { ...entity, offset, length: Math.min(bare.length, endOf(entity) - start) - offset };
      })
      .filter((entity) => entity.length > 0 && bare.slice(entity.offset, endOf(entity)).trim() !== ""),
  };
}

/** Code contains no other entities, and quotes do not nest. */
export function untangled(entities: readonly Entity[]): Entity[] {
  const kept: Entity[] = [];
  for (const entity of entities) {
    const clashes = kept.some((outer) => overlaps(outer, entity) && excludes(outer, entity));
    if (!clashes) kept.push(entity);
  }
  return kept;
}

function excludes(a: Entity, b: Entity): boolean {
  const isCode = (entity: Entity) => entity.type === "code" || entity.type === "pre";
  const isQuote = (entity: Entity) => entity.type.endsWith("blockquote");
  if (isQuote(a) && isQuote(b)) return true;
  return (isCode(a) && !isQuote(b)) || (isCode(b) && !isQuote(a));
}
