import { createLossLog, type LossLog, type Media, type Post, type PostOptions } from "../../content/index.ts";
import { optionsFor } from "../channel-settings.ts";
import { checkPost } from "../check-post.ts";
import { compiledMedia } from "../compiled-media.ts";
import type { ChannelProfile, CompiledRequest, CompileResult } from "../contract.ts";
import { missingOrigin, tooLong } from "../send-error.ts";
import { keyboardOf } from "./keyboard.ts";
import { limits } from "./limits.ts";
import { messagesOf } from "./media.ts";
import { type Written, write } from "./write.ts";

/** The messages that carry this post: the first with its text and buttons, further ones with the media that remain. */
export function compile(post: Post, channel: ChannelProfile): CompileResult {
  const losses = createLossLog();
  const chosen = optionsFor(post, channel);
  if (!chosen.ok) return chosen;
  const main = write(post.document, post.format, losses);
  const error = checkPost(post, main.text, channel);
  if (error) return { ok: false, error };
  const homeless = post.media.findIndex((media) => !media.url && !media.blobRef);
  if (homeless >= 0) return { ok: false, error: missingOrigin(homeless) };
  const keyboard = keyboardOf(post.buttons, losses);
  if (!keyboard.ok) return keyboard;

  const albums = messagesOf(post.media, limits.album.max - keyboard.attachments.length);
  const messages = albums.length === 0 ? [[]] : albums;
  const texts = messages.map((album, index) => {
    const captions = album.flatMap((media) =>
      media.caption ? [write(media.caption, post.format, losses)] : [],
    );
    if (captions.length > 0 && (album.length > 1 || index === 0) && main.text !== "")
      losses.add("captions_in_text");
    return joined(index === 0 ? [main, ...captions] : captions);
  });
  const longest = texts.find(({ markup }) => markup.length > limits.text);
  if (longest)
    return { ok: false, error: tooLong("the text with its markup", longest.markup.length, limits.text) };

  noteLosses(post.media, chosen.options, albums.length, losses);
  const requests = messages.map((album, index): CompiledRequest => {
    const text = texts[index] ?? joined([]);
    const attachments = index === 0 ? keyboard.attachments : [];
    return messageRequest(
      album,
      text,
      attachments,
      post,
      index === 0 ? chosen.options : laterOptions(chosen.options),
    );
  });
  const plainText = texts
    .map(({ text }) => text)
    .filter(Boolean)
    .join("\n\n");
  return { ok: true, compiled: { platform: "max", requests, plainText, losses: losses.losses } };
}

function messageRequest(
  album: readonly Media[],
  { markup, text }: Written,
  attachments: readonly Record<string, unknown>[],
  { format }: Post,
  options: PostOptions,
): CompiledRequest {
  return {
    method: "messages",
    ...(options.linkPreview === false && { query: { disable_link_preview: "true" } }),
    body: {
      ...(markup !== "" && { text: markup }),
      ...(markup !== "" && format !== "plain" && { format }),
      ...(attachments.length > 0 && { attachments }),
      ...(options.replyTo !== undefined && { link: { type: "reply", mid: options.replyTo } }),
      ...(options.silent && { notify: false }),
    },
    text,
    media: album.map(compiledMedia),
  };
}

function joined(texts: readonly Written[]): Written {
  const filled = texts.filter(({ text }) => text !== "");
  return {
    markup: filled.map(({ markup }) => markup).join("\n\n"),
    text: filled.map(({ text }) => text).join("\n\n"),
  };
}

/** Only the first message answers another one. */
function laterOptions({ replyTo: _, ...options }: PostOptions): PostOptions {
  return options;
}

function noteLosses(media: readonly Media[], options: PostOptions, messages: number, losses: LossLog): void {
  if (messages > 1) losses.add("media_in_parts");
  if (media.some((item) => item.alt)) losses.add("alt_text");
  if (media.some((item) => item.kind === "animation")) losses.add("animation_as_video");
  if (options.protected) losses.add("not_protected");
  if (options.topicId !== undefined) losses.add("no_topic");
}
