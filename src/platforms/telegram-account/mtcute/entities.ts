import { Long, type tl } from "@mtcute/core";
import type { Entity } from "../../telegram/entities.ts";

/** Converts entities of the Bot API to MTProto. */
export function tlEntities(entities: readonly Entity[]): tl.TypeMessageEntity[] {
  return entities.flatMap((entity) => tlEntity(entity) ?? []);
}

const bare = {
  bold: "messageEntityBold",
  italic: "messageEntityItalic",
  underline: "messageEntityUnderline",
  strikethrough: "messageEntityStrike",
  spoiler: "messageEntitySpoiler",
  code: "messageEntityCode",
} as const;

function tlEntity({ type, offset, length, url, language, custom_emoji_id }: Entity) {
  const place = { offset, length };
  if (isBare(type)) return { _: bare[type], ...place };
  switch (type) {
    case "pre":
      return { _: "messageEntityPre", ...place, language: language ?? "" } as const;
    case "text_link":
      return { _: "messageEntityTextUrl", ...place, url: url ?? "" } as const;
    case "blockquote":
    case "expandable_blockquote":
      return { _: "messageEntityBlockquote", ...place, collapsed: type !== "blockquote" } as const;
    case "custom_emoji":
      return {
        _: "messageEntityCustomEmoji",
        ...place,
        documentId: Long.fromString(custom_emoji_id ?? "0"),
      } as const;
    default:
      // A mention needs the person's access hash, which is not known here: the name stays as text.
      return undefined;
  }
}

function isBare(type: string): type is keyof typeof bare {
  return Object.hasOwn(bare, type);
}
