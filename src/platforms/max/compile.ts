import {
  createLossLog,
  joinMarkedTexts,
  type LossLog,
  type MarkedText,
  type Media,
  type Post,
  type PostOptions,
  splitMarkedText,
} from "../../content/index.ts";
import { asMessage } from "../as-message.ts";
import { type Rules, rulesFor } from "../channel-settings.ts";
import { checkLosses, checkPost } from "../check-post.ts";
import { compiledMedia } from "../compiled-media.ts";
import type { ChannelProfile, CompiledRequest, CompileResult } from "../contract.ts";
import { missingOrigin, tooLong } from "../send-error.ts";
import { keyboardOf } from "./keyboard.ts";
import { limits } from "./limits.ts";
import { messagesOf } from "./media.ts";
import { layMarkedText, type Written, write } from "./write.ts";

/** One message: its text, its media, and its other attachments. */
interface Message {
  readonly text: Written;
  readonly album: readonly Media[];
  readonly attachments: readonly Record<string, unknown>[];
}

/** The messages of this post: the first with its text and buttons, the others with the remaining media. */
export function compile(given: Post, channel: ChannelProfile): CompileResult {
  const losses = createLossLog();
  const post = asMessage(given, losses);
  const chosen = rulesFor(post, channel);
  if (!chosen.ok) return chosen;
  const { rules } = chosen;
  const main = layMarkedText(post.document, post.format, losses);
  const error = checkPost(post, main.text, channel);
  if (error) return { ok: false, error };
  const homeless = post.media.findIndex((media) => !media.url && !media.blobRef);
  if (homeless >= 0) return { ok: false, error: missingOrigin(homeless) };
  const keyboard = keyboardOf(post.buttons, losses);
  if (!keyboard.ok) return keyboard;

  const albums = messagesOf(post.media, limits.album.max - keyboard.attachments.length);
  const messages = (albums.length === 0 ? [[]] : albums).flatMap((album, index) => {
    const marked = joinMarkedTexts(flowsOf(album, index === 0 ? main : undefined, post, losses));
    const attachments = index === 0 ? keyboard.attachments : [];
    return messagesFor(album, textsOf(marked, post, rules, losses), attachments);
  });
  const longest = messages.find(({ text }) => text.markup.length > limits.text)?.text.markup.length;
  if (longest !== undefined) {
    return { ok: false, error: tooLong("the text with its markup", { length: longest, limit: limits.text }) };
  }

  if (messages.length > Math.max(albums.length, 1)) losses.add("text_in_parts");
  noteLosses(post.media, rules.options, albums.length, losses);
  const lost = checkLosses(losses.losses, rules);
  if (lost) return { ok: false, error: lost };
  const requests = messages.map((message, index) =>
    messageRequest(message, post, index === 0 ? rules.options : laterOptions(rules.options)),
  );
  const plainText = messages
    .map(({ text }) => text.text)
    .filter(Boolean)
    .join("\n\n");
  return { ok: true, compiled: { platform: "max", requests, plainText, losses: losses.losses } };
}

/** The text of an album's message: the post's text, if it is the first, and the captions. */
function flowsOf(
  album: readonly Media[],
  main: MarkedText | undefined,
  post: Post,
  losses: LossLog,
): MarkedText[] {
  const captions = album.flatMap(({ caption }) =>
    caption ? [layMarkedText(caption, post.format, losses)] : [],
  );
  if (captions.length > 0 && (album.length > 1 || main?.text)) losses.add("captions_in_text");
  return main ? [main, ...captions] : captions;
}

/** The text as one message, or as several if it does not fit and the channel allows splitting. */
function textsOf(marked: MarkedText, { format }: Post, { split }: Rules, losses: LossLog): Written[] {
  const whole = write(marked, format, losses);
  if (!split || whole.markup.length <= limits.text) return [whole];
  const fits = (part: MarkedText) => write(part, format, createLossLog()).markup.length <= limits.text;
  return (
    splitMarkedText(marked, { longest: limits.text, fits })?.map((part) => write(part, format, losses)) ?? [
      whole,
    ]
  );
}

/** The album and the buttons go with the last part of the text. */
function messagesFor(
  album: readonly Media[],
  texts: readonly Written[],
  attachments: Message["attachments"],
): Message[] {
  return texts.map((text, index) =>
    index === texts.length - 1 ? { text, album, attachments } : { text, album: [], attachments: [] },
  );
}

function messageRequest(
  { text: { markup, text }, album, attachments }: Message,
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

/** Only the first message is a reply. */
function laterOptions({ replyTo: _, ...options }: PostOptions): PostOptions {
  return options;
}

function noteLosses(media: readonly Media[], options: PostOptions, messages: number, losses: LossLog): void {
  if (messages > 1) losses.add("media_in_parts");
  if (media.some((item) => item.alt)) losses.add("alt_text");
  if (media.some((item) => item.kind === "animation")) losses.add("animation_as_video");
  if (typeof options.linkPreview === "object") losses.add("preview_settings");
  if (options.protected) losses.add("not_protected");
  if (options.topicId !== undefined) losses.add("no_topic");
}
