import type { Media, Post, PostOptions } from "../../content/index.ts";
import { compiledMedia } from "../compiled-media.ts";
import type { CompiledRequest } from "../contract.ts";
import { mediaMethods } from "./media.ts";
import { captionFields, textFields, type Written } from "./write.ts";

/** The layout of a post: its texts, the order of its media, and its settings. */
export interface Layout {
  /** The post's text: one message or caption, or the messages that it was split into. */
  readonly texts: readonly Written[];
  readonly captions: ReadonlyMap<Media, Written>;
  readonly albums: readonly (readonly Media[])[];
  readonly buttons: Post["buttons"];
  readonly options: PostOptions;
  /** Whether the text is a separate message before the media. */
  readonly textApart: boolean;
}

/** The calls in order. Only the first is a reply. */
export function requestsOf(layout: Layout): CompiledRequest[] {
  const requests = [
    ...(layout.textApart ? layout.texts.map((_, index) => textRequest(layout, index)) : []),
    ...layout.albums.map((album, index) => mediaRequest(album, layout, index === 0 && !layout.textApart)),
  ];
  const { replyTo } = layout.options;
  const [first, ...rest] = requests;
  if (!first || replyTo === undefined) return requests;
  const reply_parameters = { message_id: Number(replyTo), allow_sending_without_reply: true };
  return [{ ...first, body: { ...first.body, reply_parameters } }, ...rest];
}

/** Buttons go under the last part of the text. */
function textRequest({ texts, buttons, options }: Layout, index: number): CompiledRequest {
  const written = texts[index] ?? { text: "", entities: [] };
  const body = {
    ...textFields(written),
    ...previewFields(options.linkPreview),
    ...commonFields(options),
    ...(index === texts.length - 1 && keyboard(buttons)),
  };
  return { method: "sendMessage", body, text: written.text, media: [] };
}

function previewFields(preview: PostOptions["linkPreview"]): Record<string, unknown> {
  if (preview === undefined || preview === true) return {};
  if (preview === false) return { link_preview_options: { is_disabled: true } };
  const { url, size, above } = preview;
  return {
    link_preview_options: {
      ...(url !== undefined && { url }),
      ...(size === "small" && { prefer_small_media: true }),
      ...(size === "large" && { prefer_large_media: true }),
      ...(above && { show_above_text: true }),
    },
  };
}

/** `leads` means that this call also has the post's text and buttons. */
function mediaRequest(album: readonly Media[], layout: Layout, leads: boolean): CompiledRequest {
  const [text] = layout.texts;
  const captions = album.map((media, index) =>
    leads && index === 0 && text?.text ? text : layout.captions.get(media),
  );
  const shared = {
    text: captions.flatMap((caption) => caption?.text ?? []).join("\n\n"),
    media: album.map(compiledMedia),
  };
  const [only, ...more] = album;
  if (only && more.length === 0) {
    const body = {
      ...captionFields(captions[0]),
      ...commonFields(layout.options),
      ...(leads && keyboard(layout.buttons)),
    };
    return { method: mediaMethods[only.kind].method, body, ...shared };
  }
  const media = album.map(({ kind }, index) => ({ type: kind, ...captionFields(captions[index]) }));
  return { method: "sendMediaGroup", body: { media, ...commonFields(layout.options) }, ...shared };
}

function commonFields(options: PostOptions): Record<string, unknown> {
  return {
    ...(options.silent && { disable_notification: true }),
    ...(options.protected && { protect_content: true }),
    ...(options.topicId !== undefined && { message_thread_id: Number(options.topicId) }),
  };
}

function keyboard(rows: Post["buttons"]): Record<string, unknown> {
  if (rows.length === 0) return {};
  return {
    reply_markup: { inline_keyboard: rows.map((row) => row.map(({ text, url }) => ({ text, url }))) },
  };
}
