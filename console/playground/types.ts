/**
 * The twins' data, parsed once on arrival. The shapes are those of the twins' own contract, written again because the
 * page shares no code with them.
 */
import * as z from "zod/mini";

const optional = z.exactOptional;

export const chatView = z.object({
  provider: z.string(),
  id: z.string(),
  title: z.string(),
  kind: z.enum(["channel", "group", "dialog"]),
  username: optional(z.string()),
  /** Whether a person can write here through the page. */
  writable: z.boolean(),
  last: optional(z.object({ text: z.string(), at: z.number() })),
  count: z.number(),
});

/** A site, a wall or a board: pages for readers instead of messages. */
export const placeView = z.object({
  provider: z.string(),
  id: z.string(),
  title: z.string(),
  /** A path of the twins: nothing else is embedded. */
  url: z.string().check(z.regex(/^\/(?!\/)/)),
  items: z.number(),
  changedAt: optional(z.number()),
});

const markTypes = [
  "bold",
  "italic",
  "underline",
  "strike",
  "spoiler",
  "code",
  "pre",
  "link",
  "mention",
  "hashtag",
  "quote",
  "expandable_quote",
  "highlight",
  "heading",
  "custom_emoji",
  "command",
  "plain",
] as const;

/** Offsets and lengths are UTF-16 units. A type this page does not know yet reads as plain text. */
export const markView = z.object({
  type: z.catch(z.enum(markTypes), "plain"),
  offset: z.int(),
  length: z.int(),
  url: optional(z.string()),
  language: optional(z.string()),
});

export const mediaView = z.object({
  kind: z.enum(["photo", "video", "animation", "audio", "voice", "document", "sticker"]),
  url: z.string(),
  width: optional(z.number()),
  height: optional(z.number()),
  name: optional(z.string()),
  size: optional(z.number()),
  spoiler: optional(z.boolean()),
});

export const buttonView = z.object({
  text: z.string(),
  kind: z.enum(["link", "callback", "other"]),
  url: optional(z.string()),
  copy: optional(z.string()),
  style: optional(z.enum(["danger", "success", "primary"])),
});

export const messageView = z.object({
  id: z.string(),
  at: z.number(),
  author: z.object({ name: z.string(), bot: z.boolean(), mine: z.boolean() }),
  text: z.string(),
  marks: z.array(markView),
  media: z.array(mediaView),
  captionAboveMedia: optional(z.boolean()),
  /** Messages that share it are shown as one album. */
  albumId: optional(z.string()),
  buttons: z.array(z.array(buttonView)),
  /** The buttons stand below the chat until a newer message brings others, or none. */
  buttonsBelow: optional(z.boolean()),
  replyTo: optional(z.object({ id: z.string(), author: z.string(), text: z.string() })),
  linkPreview: optional(z.object({ url: z.string() })),
  edited: z.boolean(),
  silent: z.boolean(),
  protected: z.boolean(),
  views: optional(z.number()),
});

export const twinEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message"),
    provider: z.string(),
    chatId: z.string(),
    message: messageView,
  }),
  z.object({
    type: z.literal("removed"),
    provider: z.string(),
    chatId: z.string(),
    messageId: z.string(),
  }),
  z.object({ type: z.literal("chat"), provider: z.string(), chat: chatView }),
  z.object({ type: z.literal("typing"), provider: z.string(), chatId: z.string() }),
  z.object({ type: z.literal("draft"), provider: z.string(), chatId: z.string(), text: z.string() }),
  z.object({
    type: z.literal("answered"),
    provider: z.string(),
    chatId: z.string(),
    text: z.string(),
  }),
  z.object({ type: z.literal("place"), provider: z.string(), place: placeView }),
  z.object({ type: z.literal("reset") }),
]);

export type PlaceView = z.infer<typeof placeView>;
export type ChatView = z.infer<typeof chatView>;
export type MarkView = z.infer<typeof markView>;
export type MediaView = z.infer<typeof mediaView>;
export type ButtonView = z.infer<typeof buttonView>;
export type MessageView = z.infer<typeof messageView>;
export type TwinEvent = z.infer<typeof twinEvent>;
