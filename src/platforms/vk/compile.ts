import {
  createLossLog,
  joinMarkedTexts,
  type LossLog,
  type MarkedText,
  type Post,
  type PostOptions,
  splitMarkedText,
} from "../../content/index.ts";
import { asMessage } from "../as-message.ts";
import { type Rules, rulesFor } from "../channel-settings.ts";
import { checkLosses, checkPost } from "../check-post.ts";
import { compiledMedia } from "../compiled-media.ts";
import type { ChannelProfile, CompiledRequest, CompileResult, SendError } from "../contract.ts";
import { invalid, missingOrigin, tooLong } from "../send-error.ts";
import { cardFor } from "./card.ts";
import { type WallRules, wallRulesOf } from "./channel-settings.ts";
import { limits } from "./limits.ts";
import { layText, type Written, write } from "./write.ts";

/** The wall posts for this post: one, or several if its text is too long and the channel allows splitting. */
export function compile(given: Post, channel: ChannelProfile): CompileResult {
  const losses = createLossLog();
  const chosen = rulesFor(given, channel);
  if (!chosen.ok) return chosen;
  const own = wallRulesOf(channel);
  if (!own.ok) return own;
  const { rules } = chosen;
  const { wall } = own;
  const refused = refusalOf(given, wall);
  if (refused) return { ok: false, error: refused };

  const original = given.article?.canonicalUrl;
  const post = onWall(given, losses);
  const main = layText(post.document, losses);
  const error = checkPost(post, main.text, channel) ?? checkMedia(post);
  if (error) return { ok: false, error };

  const marked = joinMarkedTexts([main, ...captionsOf(post, losses), ...buttonsOf(post, losses)]);
  const texts = textsOf(marked, { original, isArticle: given.article !== undefined, rules, losses });
  const longest = texts.find(({ markup }) => markup.length > limits.text)?.markup.length;
  if (longest !== undefined)
    return { ok: false, error: tooLong("the text", { length: longest, limit: limits.text }) };

  const uploads = wall.photos === "upload" ? post.media : [];
  const card = cardFor(post, {
    text: marked.text,
    original,
    options: rules.options,
    withoutPictures: uploads.length === 0,
  });
  if (post.media.length > uploads.length) losses.add(card ? "pictures_as_card" : "picture_left_out");
  noteLosses(post, { options: rules.options, cards: card !== undefined, parts: texts.length }, losses);
  const lost = checkLosses(losses.losses, rules);
  if (lost) return { ok: false, error: lost };

  const requests = texts.map(({ markup, text }, index): CompiledRequest => {
    // Pictures and the card go with the last part of the text.
    const last = index === texts.length - 1;
    return {
      method: "wall.post",
      body: {
        ...(markup !== "" && { message: markup }),
        ...(last && card && { attachments: card }),
        ...(rules.options.silent && { mute_notifications: 1 }),
      },
      text,
      media: last ? uploads.map(compiledMedia) : [],
    };
  });
  if (requests.every(({ body, media }) => !body.message && !body.attachments && media.length === 0))
    return {
      ok: false,
      error: invalid(
        "the channel shows links in the place of pictures, and the post has neither text nor link",
      ),
    };
  const plainText = texts.map(({ text }) => text).join("\n\n");
  return { ok: true, compiled: { platform: "vk", requests, plainText, losses: losses.losses } };
}

function refusalOf({ article }: Post, { articles }: WallRules): SendError | undefined {
  return article && articles === "refuse"
    ? invalid("the channel takes no articles; articles=shorten would show them as posts")
    : undefined;
}

/** An article as a wall post with a link to its original below the text, and as many of its pictures as fit. */
function onWall(given: Post, losses: LossLog): Post {
  if (!given.article) return given;
  const { canonicalUrl, slug, ...rest } = given.article;
  // With a link to its original, the article's address is not lost.
  const article = canonicalUrl === undefined && slug !== undefined ? { ...rest, slug } : rest;
  const post = asMessage({ ...given, article }, losses);
  if (post.media.length <= limits.media) return post;
  losses.add("pictures_beyond");
  return { ...post, media: post.media.slice(0, limits.media) };
}

const pictures: ReadonlySet<string> = new Set(["photo", "animation"]);

function checkMedia({ media }: Post): SendError | undefined {
  const other = media.findIndex(({ kind }) => !pictures.has(kind));
  if (other >= 0)
    return invalid(`media ${other + 1} is of the kind ${media[other]?.kind}; a wall gets pictures only`);
  if (media.length > limits.media)
    return invalid(`the post has ${media.length} pictures, at most ${limits.media} are accepted`, {
      length: media.length,
      limit: limits.media,
    });
  const homeless = media.findIndex(({ url, blobRef }) => !url && !blobRef);
  return homeless >= 0 ? missingOrigin(homeless) : undefined;
}

function captionsOf({ media }: Post, losses: LossLog): MarkedText[] {
  const captions = media.flatMap(({ caption }) => (caption ? [layText(caption, losses)] : []));
  if (captions.length > 0) losses.add("captions_in_text");
  return captions;
}

/** VK has no buttons under posts, so each becomes a line with its address. */
function buttonsOf({ buttons }: Post, losses: LossLog): MarkedText[] {
  const lines = buttons.flat().map(({ text, url }) => `${text}: ${url}`);
  if (lines.length > 0) losses.add("buttons_as_text");
  return lines.length > 0 ? [{ text: lines.join("\n"), marks: [] }] : [];
}

interface TextRules {
  readonly original: string | undefined;
  readonly isArticle: boolean;
  readonly rules: Rules;
  readonly losses: LossLog;
}

/** The text as one post, as several, or, for an article, the part that fits and a link to the rest. */
function textsOf(marked: MarkedText, { original, isArticle, rules, losses }: TextRules): Written[] {
  const linked = original && !marked.text.includes(original) ? plain(original) : plain("");
  const whole = joinMarkedTexts([marked, linked]);
  const written = write(whole);
  if (written.markup.length <= limits.text) return [written];
  if (rules.split) return partsOf(whole, limits.text)?.map(write) ?? [written];
  if (!isArticle) return [written];

  const tail = original ? `…\n\n${original}` : "…";
  const [beginning] = partsOf(marked, limits.text - tail.length) ?? [];
  if (!beginning) return [written];
  losses.add("text_shortened");
  return [write({ ...beginning, text: beginning.text + tail })];
}

const plain = (text: string): MarkedText => ({ text, marks: [] });

function partsOf(marked: MarkedText, longest: number): MarkedText[] | undefined {
  return splitMarkedText(marked, { longest, fits: (part) => write(part).markup.length <= longest });
}

function noteLosses(
  { media }: Post,
  { options, cards, parts }: { options: PostOptions; cards: boolean; parts: number },
  losses: LossLog,
): void {
  const { linkPreview } = options;
  if (parts > 1) losses.add("text_in_parts");
  if (media.some(({ alt }) => alt)) losses.add("alt_text");
  if (media.some(({ kind }) => kind === "animation")) losses.add("animation_as_video");
  if (typeof linkPreview === "object" && (!cards || linkPreview.size || linkPreview.above))
    losses.add("preview_settings");
  if (options.protected) losses.add("not_protected");
  if (options.topicId !== undefined) losses.add("no_topic");
  if (options.replyTo !== undefined) losses.add("no_reply");
}
