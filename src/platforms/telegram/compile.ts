import {
  createLossLog,
  flowOf,
  type LossLog,
  type Media,
  type Post,
  type PostOptions,
  schemeOf,
} from "../../content/index.ts";
import { optionsFor } from "../channel-settings.ts";
import { checkPost } from "../check-post.ts";
import type { ChannelProfile, CompileResult, SendError } from "../contract.ts";
import { invalid, tooLong } from "../send-error.ts";
import { entitiesOf } from "./entities.ts";
import { limits, linkSchemes } from "./limits.ts";
import { albumsOf } from "./media.ts";
import { type Layout, requestsOf, type Written } from "./requests.ts";

/** The Bot API calls that carry this post: `sendMessage`, then the media, one call for each album. */
export function compile(post: Post, channel: ChannelProfile): CompileResult {
  const losses = createLossLog();
  const chosen = optionsFor(post, channel);
  if (!chosen.ok) return chosen;
  const layout = layOut(post, chosen.options, losses);
  const error = checkPost(post, layout.written.text, channel) ?? problemIn(layout);
  if (error) return { ok: false, error };
  noteLosses(post, layout, losses);
  const texts = [layout.written, ...layout.captions.values()].map(({ text }) => text);
  return {
    ok: true,
    compiled: {
      platform: "telegram",
      requests: requestsOf(layout),
      plainText: texts.filter(Boolean).join("\n\n"),
      losses: losses.losses,
    },
  };
}

/**
 * The text is the caption of what leads the media, unless it cannot be: too long for a caption, the media
 * have captions of their own, or an album leads, which carries no buttons.
 */
function layOut(post: Post, options: PostOptions, losses: LossLog): Layout {
  const written = write(post.document, losses);
  const captions = new Map<Media, Written>();
  for (const media of post.media) {
    const caption = media.caption && write(media.caption, losses);
    if (caption?.text) captions.set(media, caption);
  }
  const albums = albumsOf(post.media);
  const cannotBeCaption =
    albums.length === 0 ||
    written.text.length > limits.caption ||
    captions.size > 0 ||
    (post.buttons.length > 0 && leadsWithAlbum(albums));
  return {
    written,
    captions,
    albums,
    buttons: post.buttons,
    options,
    textApart: written.text !== "" && cannotBeCaption,
  };
}

function write(document: Post["document"], losses: LossLog): Written {
  const flow = flowOf(document, { losses, linkSchemes });
  return { text: flow.text, entities: entitiesOf(flow, losses) };
}

function leadsWithAlbum([first]: Layout["albums"]): boolean {
  return first !== undefined && first.length > 1;
}

/** Why Telegram would refuse it, or nothing. */
function problemIn({ written, captions, albums, buttons, options }: Layout): SendError | undefined {
  if (written.text.length > limits.text) return tooLong("the text", written.text.length, limits.text);
  for (const { text } of captions.values()) {
    if (text.length > limits.caption) return tooLong("a caption", text.length, limits.caption);
  }
  for (const { length } of albums) {
    const { max } = limits.album;
    if (length > max)
      return invalid(`an album of ${length} is too large, at most ${max} fit`, { length, limit: max });
  }
  for (const { url } of buttons.flat()) {
    if (!linkSchemes.has(schemeOf(url))) return invalid(`a button of Telegram cannot open ${url}`);
  }
  if (buttons.length > 0 && leadsWithAlbum(albums) && written.text === "") {
    return invalid("an album cannot carry buttons, and there is no text to carry them");
  }
  for (const id of [options.replyTo, options.topicId]) {
    if (id !== undefined && !/^\d+$/.test(id))
      return invalid(`"${id}" is not a message or a topic of Telegram`);
  }
  return undefined;
}

function noteLosses(post: Post, { albums, textApart, buttons }: Layout, losses: LossLog): void {
  if (albums.length > 1) losses.add("media_in_parts");
  if (albums.length > 0 && textApart) losses.add("text_apart");
  if (buttons.length > 0 && leadsWithAlbum(albums)) losses.add("buttons_on_text");
  if (post.media.some((media) => media.alt)) losses.add("alt_text");
}
