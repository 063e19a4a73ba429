import { z } from "zod";
import {
  alignMarkedText,
  createLossLog,
  joinMarkedTexts,
  type Mark,
  type MarkedText,
  type MarkKind,
  markedTextOf,
  parseContent,
} from "../../content/index.ts";
import { mediaPlaceholder } from "../compiled-media.ts";
import type { ChannelProfile, CompiledRequest, Preview } from "../contract.ts";
import { linkSchemes } from "./limits.ts";
import { mediaMethods } from "./media.ts";
import { chatIdOf } from "./target.ts";

const written = {
  caption: z.string().optional(),
  caption_entities: z.array(z.looseObject({ type: z.string(), offset: z.int(), length: z.int() })).optional(),
  parse_mode: z.string().optional(),
};

const bodyShape = z.looseObject({
  ...written,
  text: z.string().optional(),
  entities: written.caption_entities,
  media: z.array(z.looseObject(written)).optional(),
  reply_markup: z
    .object({ inline_keyboard: z.array(z.array(z.object({ text: z.string(), url: z.string() }))) })
    .optional(),
});

type Body = z.infer<typeof bodyShape>;
type Entity = NonNullable<Body["entities"]>[number];

export function preview(request: CompiledRequest, channel: ChannelProfile): Preview {
  const body = bodyShape.parse(request.body);
  const said = joinMarkedTexts([body, ...(body.media ?? [])].map(markedTextIn));
  const aligned = alignMarkedText(said, request.text) ?? { text: request.text, marks: [] };
  return {
    http: {
      method: "POST",
      path: `/bot<token>/${request.method}`,
      query: {},
      body: { chat_id: chatIdOf(channel.targetId), ...request.body, ...mediaFields(request, body) },
    },
    shown: { ...aligned, media: request.media, buttons: body.reply_markup?.inline_keyboard ?? [] },
  };
}

function mediaFields({ method, media }: CompiledRequest, body: Body): Record<string, unknown> {
  const names = media.map(mediaPlaceholder);
  if (method === "sendMediaGroup") {
    return { media: (body.media ?? []).map((item, index) => ({ ...item, media: names[index] })) };
  }
  const [only] = media;
  return only ? { [mediaMethods[only.kind].field]: names[0] } : {};
}

/** Parses one text field as Telegram does. */
function markedTextIn({
  text,
  entities,
  caption,
  caption_entities,
  parse_mode,
}: Pick<Body, "text" | "entities" | "caption" | "caption_entities" | "parse_mode">): MarkedText {
  const raw = text ?? caption ?? "";
  if (parse_mode === undefined) {
    return { text: raw, marks: (entities ?? caption_entities ?? []).flatMap(markOf) };
  }
  const parsed = parseContent(raw, "html");
  if (!parsed.ok) throw new Error(`our own HTML cannot be read: ${parsed.error.message}`);
  return markedTextOf(parsed.document, { losses: createLossLog(), linkSchemes });
}

function markOf(entity: Entity): Mark[] {
  const { offset, length } = entity;
  return kindOf(entity).map((kind) => ({ kind, offset, length }));
}

const sameName: ReadonlyMap<string, MarkKind> = new Map([
  ["bold", { type: "bold" }],
  ["italic", { type: "italic" }],
  ["underline", { type: "underline" }],
  ["strikethrough", { type: "strike" }],
  ["spoiler", { type: "spoiler" }],
  ["code", { type: "code" }],
  ["blockquote", { type: "quote", expandable: false }],
  ["expandable_blockquote", { type: "quote", expandable: true }],
]);

function kindOf(entity: Entity): MarkKind[] {
  const { type, url, user, language, custom_emoji_id } = entityDetails.parse(entity);
  if (url !== undefined) return [{ type: "link", url }];
  if (user !== undefined) return [{ type: "mention", network: "telegram", userId: String(user.id) }];
  if (custom_emoji_id !== undefined) return [{ type: "emoji", id: custom_emoji_id }];
  if (type === "pre") return [{ type: "pre", ...(language !== undefined && { language }) }];
  const kind = sameName.get(type);
  return kind ? [kind] : [];
}

const entityDetails = z.object({
  type: z.string(),
  url: z.string().optional(),
  user: z.object({ id: z.int() }).optional(),
  language: z.string().optional(),
  custom_emoji_id: z.string().optional(),
});
