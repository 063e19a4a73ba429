import { z } from "zod";
import { linkPreviewShape, markdownDialects, parseModes } from "../../content/index.ts";
import { media } from "../ingest/body.ts";

/** A started delivery. Its content was stored with it, and only the holder of its claim token may send it. */
const startedDelivery = z.strictObject({
  delivery: z.strictObject({
    delivery_id: z.uuid(),
    claim_token: z.string().min(1).max(512).describe("As `start_sending` gave it"),
  }),
});

/** `meta` of the specification. */
const meta = z.strictObject({
  parse_mode: z.enum(parseModes).nullish(),
  dialect: z.enum(markdownDialects).nullish(),
  disable_preview: z.boolean().nullish(),
  link_preview: linkPreviewShape.nullish(),
  silent: z.boolean().nullish(),
  protect: z.boolean().nullish(),
  buttons: z.array(z.array(z.object({ text: z.string(), url: z.string() }))).nullish(),
  trace_id: z.string().max(512).nullish(),
  idempotency_key: z
    .string()
    .min(1)
    .max(256)
    .nullish()
    .describe("A repeat with the same key is answered as before and sends nothing"),
});

/** The channel by its id. The other fields of the specification's `channel` are ignored: the stored row is used. */
const channel = z.looseObject({ channel_id: z.uuid() });

const links = z.array(z.string().max(2048)).max(20).nullish().describe("Put below the text, one in a line");

const sendText = z.strictObject({
  method: z.literal("sendText"),
  channel,
  text: z.string().min(1).max(50_000),
  links,
  meta: meta.default({}),
});

const sendMedia = z.strictObject({
  method: z.literal("sendMedia"),
  channel,
  media: z.array(media).min(1).max(100),
  text: z.string().max(50_000).nullish(),
  links,
  meta: meta.default({}),
});

/** The request body of `POST /api/v1/adapters/{platform}/send`. */
export const sendBody = z.union([startedDelivery, sendText, sendMedia]);

export type PostToSend = z.infer<typeof sendText> | z.infer<typeof sendMedia>;

/** The post as a payload of ingest. Pure. */
export function payloadOf(post: PostToSend): Record<string, unknown> {
  const { trace_id, idempotency_key, ...given } = post.meta;
  return {
    ...given,
    text: withLinks(post.text ?? "", post.links ?? [], given.parse_mode ?? "None"),
    ...("media" in post && { media: post.media }),
  };
}

type ParseMode = (typeof parseModes)[number];

/** Adds the links below the text, escaped so that the text's markup cannot change them. */
function withLinks(text: string, addresses: readonly string[], parseMode: ParseMode): string {
  const written = addresses.map((address) => inMarkup[parseMode](address)).join("\n");
  return [text, written].filter(Boolean).join("\n\n");
}

const inMarkup: Record<ParseMode, (address: string) => string> = {
  HTML: (address) => address.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  Markdown: (address) => `<${address}>`,
  None: (address) => address,
};
