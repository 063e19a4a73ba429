import { z } from "zod";
import { definedOnly } from "../../shared/index.ts";
import { badRequest } from "../api-error.ts";
import { limits } from "../limits.ts";
import { type Entity, endOf, inOrder } from "./entity.ts";
import { checkedLink } from "./link.ts";

const givenEntity = z.object({
  type: z.string(),
  offset: z.int(),
  length: z.int(),
  url: z.string().optional(),
  user: z.object({ id: z.int() }).optional(),
  language: z.string().optional(),
  custom_emoji_id: z.string().optional(),
  unix_time: z.int().optional(),
  date_time_format: z.string().optional(),
});

/** What a sender may mark; the provider detects the other types and ignores given ones. */
const givenTypes = [
  "bold",
  "italic",
  "underline",
  "strikethrough",
  "spoiler",
  "blockquote",
  "expandable_blockquote",
  "code",
  "pre",
  "text_link",
  "text_mention",
  "custom_emoji",
  "date_time",
] as const;

/** The `entities` field of a request, checked against its text. */
export function givenEntities(value: unknown, text: string): Entity[] {
  if (!Array.isArray(value)) throw badRequest("expected an Array of MessageEntity");
  const entities = value.map((each) => {
    const parsed = givenEntity.safeParse(each);
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join(".") ?? "";
      throw badRequest(`can't parse MessageEntity: Field "${field}" must be of a valid type`);
    }
    return parsed.data;
  });
  const marked = entities.flatMap((entity): Entity[] => {
    const type = givenTypes.find((each) => each === entity.type);
    return type ? [{ ...definedOnly(entity), type }] : [];
  });
  for (const entity of marked) checkEntity(entity, text);
  return inOrder(
    marked
      .map((entity) => (entity.type === "text_link" ? { ...entity, url: linkOf(entity) } : entity))
      .filter((entity) => entity.length > 0)
      .slice(0, limits.entities),
  );
}

function checkEntity(entity: Entity, text: string): void {
  const end = endOf(entity);
  if (entity.offset < 0 || entity.offset > text.length) {
    throw badRequest(`entity begins in a middle of a UTF-16 symbol at byte offset ${text.length}`);
  }
  if (entity.length < 0 || end > text.length) {
    throw badRequest(
      `entity beginning at UTF-16 offset ${entity.offset} ends after the end of the text at UTF-16 offset ${end}`,
    );
  }
  if (splitsPair(text, entity.offset)) {
    throw badRequest(
      `entity begins in a middle of a UTF-16 symbol at byte offset ${Buffer.byteLength(text.slice(0, entity.offset))}`,
    );
  }
  if (splitsPair(text, end)) {
    throw badRequest(
      `entity beginning at UTF-16 offset ${entity.offset} ends in a middle of a UTF-16 symbol at byte offset ${Buffer.byteLength(text.slice(0, end - 1))}`,
    );
  }
}

function linkOf(entity: Entity): string {
  const url = checkedLink(entity.url ?? "");
  if (url === undefined) throw badRequest(`entity URL '${entity.url ?? ""}' is invalid: Wrong HTTP URL`);
  return url;
}

function splitsPair(text: string, index: number): boolean {
  return /^[\udc00-\udfff]/.test(text.charAt(index)) && /[\ud800-\udbff]$/.test(text.charAt(index - 1));
}
