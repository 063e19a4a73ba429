import type { Media, Post, PostOptions } from "../../content/index.ts";
import { compiledMedia } from "../compiled-media.ts";
import type { CompiledRequest } from "../contract.ts";
import type { Entity } from "./entities.ts";
import { mediaMethods } from "./media.ts";

/** A text ready for Telegram. */
export interface Written {
  readonly text: string;
  readonly entities: readonly Entity[];
}

/** A post laid out: what is said, in which order it is shown, with what settings. */
export interface Layout {
  readonly written: Written;
  readonly captions: ReadonlyMap<Media, Written>;
  readonly albums: readonly (readonly Media[])[];
  readonly buttons: Post["buttons"];
  readonly options: PostOptions;
  /** Whether the text is a message of its own before the media. */
  readonly textApart: boolean;
}

/** The calls in order. Only the first answers another message. */
export function requestsOf(layout: Layout): CompiledRequest[] {
  const requests = [
    ...(layout.textApart ? [textRequest(layout)] : []),
    ...layout.albums.map((album, index) => mediaRequest(album, layout, index === 0 && !layout.textApart)),
  ];
  const { replyTo } = layout.options;
  const [first, ...rest] = requests;
  if (!first || replyTo === undefined) return requests;
  const reply_parameters = { message_id: Number(replyTo), allow_sending_without_reply: true };
  return [{ ...first, body: { ...first.body, reply_parameters } }, ...rest];
}

function textRequest({ written, buttons, options }: Layout): CompiledRequest {
  const body = {
    text: written.text,
    ...(written.entities.length > 0 && { entities: written.entities }),
    ...(options.linkPreview === false && { link_preview_options: { is_disabled: true } }),
    ...commonFields(options),
    ...keyboard(buttons),
  };
  return { method: "sendMessage", body, text: written.text, media: [] };
}

/** `leads` says that this call also carries the post's text and buttons. */
function mediaRequest(album: readonly Media[], layout: Layout, leads: boolean): CompiledRequest {
  const captions = album.map((media, index) =>
    leads && index === 0 && layout.written.text !== "" ? layout.written : layout.captions.get(media),
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

function captionFields(caption: Written | undefined): Record<string, unknown> {
  if (!caption) return {};
  return {
    caption: caption.text,
    ...(caption.entities.length > 0 && { caption_entities: caption.entities }),
  };
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
