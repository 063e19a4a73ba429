export type EntityType =
  | "mention"
  | "hashtag"
  | "cashtag"
  | "bot_command"
  | "url"
  | "email"
  | "bold"
  | "italic"
  | "underline"
  | "strikethrough"
  | "spoiler"
  | "blockquote"
  | "expandable_blockquote"
  | "code"
  | "pre"
  | "text_link"
  | "text_mention"
  | "custom_emoji"
  | "date_time";

/** Offsets and lengths are UTF-16 units. */
export interface Entity {
  readonly type: EntityType;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly user?: { readonly id: number };
  readonly language?: string;
  readonly custom_emoji_id?: string;
  readonly unix_time?: number;
  readonly date_time_format?: string;
}

export interface FormattedText {
  readonly text: string;
  readonly entities: readonly Entity[];
}

/** Which of two entities over the same text comes first in the provider's lists. */
const rank: Readonly<Record<EntityType, number>> = {
  blockquote: 0,
  expandable_blockquote: 0,
  pre: 10,
  code: 20,
  text_link: 49,
  text_mention: 49,
  mention: 50,
  hashtag: 50,
  cashtag: 50,
  bot_command: 50,
  url: 50,
  email: 50,
  date_time: 50,
  bold: 90,
  italic: 91,
  underline: 92,
  strikethrough: 93,
  spoiler: 94,
  custom_emoji: 99,
};

/** Outer before inner, left before right. */
export function inOrder(entities: readonly Entity[]): Entity[] {
  return [...entities].sort(
    (a, b) => a.offset - b.offset || b.length - a.length || rank[a.type] - rank[b.type],
  );
}

export function endOf(entity: Entity): number {
  return entity.offset + entity.length;
}

export function overlaps(a: Entity, b: Entity): boolean {
  return a.offset < endOf(b) && b.offset < endOf(a);
}
