import {
  createLossLog,
  type LossLog,
  type MarkedText,
  type Media,
  markedTextOf,
  type Post,
  schemeOf,
  splitMarkedText,
} from "../../content/index.ts";
import { asMessage } from "../as-message.ts";
import { type Rules, rulesFor } from "../channel-settings.ts";
import { checkLosses, checkPost } from "../check-post.ts";
import type { ChannelProfile, CompileResult, SendError } from "../contract.ts";
import { invalid, tooLong } from "../send-error.ts";
import { limits, linkSchemes } from "./limits.ts";
import { albumsOf } from "./media.ts";
import { type Layout, requestsOf } from "./requests.ts";
import { overflowOf, type Written, write } from "./write.ts";

/** The Bot API calls for this post: `sendMessage`, then the media, one call for each album. */
export function compile(given: Post, channel: ChannelProfile): CompileResult {
  const losses = createLossLog();
  const post = asMessage(given, losses);
  const chosen = rulesFor(post, channel);
  if (!chosen.ok) return chosen;
  const { rules } = chosen;
  const marked = markedTextOf(post.document, { losses, linkSchemes });
  const layout = layOut(post, marked, rules, losses);
  const error = checkPost(post, marked.text, channel) ?? problemIn(layout);
  if (error) return { ok: false, error };
  noteLosses(post, layout, losses);
  const lost = checkLosses(losses.losses, rules);
  if (lost) return { ok: false, error: lost };
  const texts = [marked.text, ...[...layout.captions.values()].map(({ text }) => text)];
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
 * The text is the caption of the first media, unless it is too long for a caption, the media have captions of their
 * own, or an album comes first and the post has buttons, which albums cannot have.
 */
function layOut(post: Post, marked: MarkedText, rules: Rules, losses: LossLog): Layout {
  const captions = new Map<Media, Written>();
  for (const media of post.media) {
    const caption = media.caption && markedTextOf(media.caption, { losses, linkSchemes });
    if (caption?.text) captions.set(media, write(caption, rules, losses));
  }
  const texts = textsOf(marked, rules, losses);
  const albums = albumsOf(post.media);
  const cannotBeCaption =
    albums.length === 0 ||
    texts.some((text) => overflowOf(text, limits.caption)) ||
    captions.size > 0 ||
    (post.buttons.length > 0 && leadsWithAlbum(albums));
  return {
    texts,
    captions,
    albums,
    buttons: post.buttons,
    options: rules.options,
    textApart: marked.text !== "" && cannotBeCaption,
  };
}

/** The text as one message, or as several if it does not fit and the channel allows splitting. */
function textsOf(marked: MarkedText, rules: Rules, losses: LossLog): Written[] {
  const whole = write(marked, rules, losses);
  if (!rules.split || !overflowOf(whole, limits.text)) return [whole];
  const fits = (part: MarkedText) => !overflowOf(write(part, rules, createLossLog()), limits.text);
  return (
    splitMarkedText(marked, { longest: limits.text, fits })?.map((part) => write(part, rules, losses)) ?? [
      whole,
    ]
  );
}

function leadsWithAlbum([first]: Layout["albums"]): boolean {
  return first !== undefined && first.length > 1;
}

/** Why Telegram would refuse it, or undefined. */
function problemIn({ texts, captions, albums, buttons, options }: Layout): SendError | undefined {
  for (const text of texts) {
    const overflow = overflowOf(text, limits.text);
    if (overflow) return tooLong("the text", overflow);
  }
  for (const caption of captions.values()) {
    const overflow = overflowOf(caption, limits.caption);
    if (overflow) return tooLong("a caption", overflow);
  }
  for (const { length } of albums) {
    const { max } = limits.album;
    if (length > max)
      return invalid(`an album of ${length} is too large, at most ${max} fit`, { length, limit: max });
  }
  for (const { url } of buttons.flat()) {
    if (!linkSchemes.has(schemeOf(url))) return invalid(`a button of Telegram cannot open ${url}`);
  }
  if (buttons.length > 0 && leadsWithAlbum(albums) && texts.every(({ text }) => text === "")) {
    return invalid("an album cannot carry buttons, and there is no text to carry them");
  }
  for (const id of [options.replyTo, options.topicId]) {
    if (id !== undefined && !/^\d+$/.test(id))
      return invalid(`"${id}" is not a message or a topic of Telegram`);
  }
  return undefined;
}

function noteLosses(post: Post, { texts, albums, textApart, buttons }: Layout, losses: LossLog): void {
  if (texts.length > 1) losses.add("text_in_parts");
  if (albums.length > 1) losses.add("media_in_parts");
  if (albums.length > 0 && textApart) losses.add("text_apart");
  if (buttons.length > 0 && leadsWithAlbum(albums)) losses.add("buttons_on_text");
  if (post.media.some((media) => media.alt)) losses.add("alt_text");
}
