import {
  type Block,
  createLossLog,
  joinMarkedTexts,
  type LossLog,
  type Media,
  type Post,
  type PostOptions,
  plainText,
  splitMarkedText,
} from "../../content/index.ts";
import { cut } from "../../kernel/words/index.ts";
import { rulesFor } from "../channel-settings.ts";
import { checkLosses, checkPost } from "../check-post.ts";
import { compiledMedia } from "../compiled-media.ts";
import type { ChannelProfile, CompileResult, SendError } from "../contract.ts";
import { layPlainText } from "../plain-layout.ts";
import { invalid, missingOrigin, tooLong } from "../send-error.ts";
import { boardRulesOf } from "./channel-settings.ts";
import { limits, longestAltText, longestLink } from "./limits.ts";
import { asSent, linkFor } from "./link.ts";
import { type PinWords, textOfPin } from "./pin.ts";

/** The Pin of this post: one picture, its texts, and the link that a tap opens. */
export function compile(post: Post, channel: ChannelProfile): CompileResult {
  const losses = createLossLog();
  const chosen = rulesFor(post, channel);
  if (!chosen.ok) return chosen;
  const own = boardRulesOf(channel);
  if (!own.ok) return own;
  if (post.article && !own.takesArticles)
    return {
      ok: false,
      error: invalid("the channel takes no articles; articles=shorten would show them as Pins"),
    };
  const { options } = chosen.rules;
  const error = checkPost(post, plainText(post.document), channel) ?? checkMedia(post);
  if (error) return { ok: false, error };
  const picture = pictureOf(post);
  if (!picture) return { ok: false, error: invalid("the post has no picture, and every Pin shows one") };

  const link = linkFor(post, options);
  const sentLink = link === undefined ? undefined : asSent(link);
  if (sentLink !== undefined && sentLink.length > longestLink)
    return { ok: false, error: tooLong("the link", { length: sentLink.length, limit: longestLink }) };
  const title = titleOf(post, losses);
  const description = descriptionOf(titled(post, title), { link, picture, losses });
  if (description.length > limits.description)
    return {
      ok: false,
      error: tooLong("the text", { length: description.length, limit: limits.description }),
    };
  const altText = picture.alt && shortened(picture.alt, longestAltText, losses);
  noteLosses(post, { options, link, description }, losses);
  const lost = checkLosses(losses.losses, chosen.rules);
  if (lost) return { ok: false, error: lost };

  const words: PinWords = {
    ...(title && { title }),
    ...(description !== "" && { description }),
    ...(sentLink && { link: sentLink }),
    ...(altText && { alt_text: altText }),
  };
  const text = textOfPin(words);
  const request = { method: "POST /pins", body: words, text, media: [compiledMedia(picture)] };
  return {
    ok: true,
    compiled: { platform: "pinterest", requests: [request], plainText: text, losses: losses.losses },
  };
}

function checkMedia({ media }: Post): SendError | undefined {
  const other = media.findIndex(({ kind }) => kind !== "photo");
  if (other >= 0)
    return invalid(`media ${other + 1} is of the kind ${media[other]?.kind}; a board gets pictures only`);
  const homeless = media.findIndex(({ url, blobRef }) => !url && !blobRef);
  return homeless >= 0 ? missingOrigin(homeless) : undefined;
}

/** The cover of an article, else the first picture. */
function pictureOf({ media, article }: Post): Media | undefined {
  return (article?.cover === undefined ? undefined : media[article.cover]) ?? media[0];
}

/** An article's title, else a heading or a bold first line, if it is short enough. */
function titleOf({ article, document }: Post, losses: LossLog): string | undefined {
  if (article) return shortened(article.title, limits.title, losses);
  const [first, ...rest] = document.blocks;
  if (!first || !(first.type === "heading" || (rest.length > 0 && isBoldLine(first)))) return undefined;
  const line = plainText({ blocks: [first] });
  return line !== "" && line.length <= limits.title && !line.includes("\n") ? line : undefined;
}

function isBoldLine(block: Block): boolean {
  return block.type === "paragraph" && block.children.length === 1 && block.children[0]?.type === "bold";
}

/** The post without the line that became its title. */
function titled(post: Post, title: string | undefined): Post {
  if (title === undefined || post.article) return post;
  return { ...post, document: { blocks: post.document.blocks.slice(1) } };
}

interface Describing {
  readonly link: string | undefined;
  readonly picture: Media;
  readonly losses: LossLog;
}

/** The whole text if it fits. An article that is too long gets its summary, or else its beginning. */
function descriptionOf({ document, buttons, article }: Post, { link, picture, losses }: Describing): string {
  const links = { isSaidElsewhere: (url: string) => url === link };
  const main = layPlainText(document, losses, links);
  const caption = picture.caption ? [layPlainText(picture.caption, losses, links)] : [];
  if (caption.length > 0) losses.add("captions_in_text");
  const lines = buttons.flat().filter(({ url }) => url !== link);
  if (lines.length > 0) losses.add("buttons_as_text");
  const said = lines.map(({ text, url }) => `${text}: ${url}`).join("\n");
  const whole = joinMarkedTexts([main, ...caption, { text: said, marks: [] }]);
  if (!article || whole.text.length <= limits.description) return whole.text;

  losses.add("text_shortened");
  const summary = article.description ?? "";
  if (summary !== "" && summary.length <= limits.description) return summary;
  const [beginning] = splitMarkedText(whole, { longest: limits.description - 1, fits: () => true }) ?? [];
  return `${beginning?.text ?? ""}…`;
}

function shortened(text: string, limit: number, losses: LossLog): string {
  if (text.length <= limit) return text;
  losses.add("text_shortened");
  return cut(text, limit);
}

interface Noted {
  readonly options: PostOptions;
  readonly link: string | undefined;
  readonly description: string;
}

function noteLosses(
  { media, buttons, article }: Post,
  { options, link, description }: Noted,
  losses: LossLog,
): void {
  const { linkPreview } = options;
  if (media.length > 1) losses.add("pictures_beyond");
  if (buttons.flat().some(({ url }) => url === link)) losses.add("button_as_link");
  if (typeof linkPreview === "object" && (linkPreview.size || linkPreview.above))
    losses.add("preview_settings");
  if (options.protected) losses.add("not_protected");
  if (options.topicId !== undefined) losses.add("no_topic");
  if (options.replyTo !== undefined) losses.add("no_reply");
  if (!article) return;
  const { slug, canonicalUrl, description: summary, categories, tags, jsonLd, brand } = article;
  if (slug !== undefined && canonicalUrl === undefined) losses.add("article_address");
  if ((summary !== undefined && summary !== description) || jsonLd.length > 0)
    losses.add("article_description");
  if (categories.length > 0 || tags.length > 0) losses.add("article_labels");
  if (brand) losses.add("brand_colours");
}
