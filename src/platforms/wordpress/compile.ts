import {
  createLossLog,
  type LossLog,
  latinWords,
  type Media,
  type Post,
  type PostOptions,
  shownMedia,
} from "../../content/index.ts";
import { rulesFor } from "../channel-settings.ts";
import { checkLosses, checkPost } from "../check-post.ts";
import { compiledMedia } from "../compiled-media.ts";
import type { ChannelProfile, CompileResult, SendError } from "../contract.ts";
import { invalid, missingOrigin, tooLong } from "../send-error.ts";
import { type SiteRules, siteRulesOf } from "./channel-settings.ts";
import { blocksHtml, buttonsHtml, lineHtml, picturePlace } from "./html.ts";
import { limits, longestSlug } from "./limits.ts";
import type { Page } from "./page.ts";
import { titled, wholeText } from "./title.ts";

/** The page of this post. */
export function compile(post: Post, channel: ChannelProfile): CompileResult {
  const losses = createLossLog();
  const chosen = rulesFor(post, channel);
  if (!chosen.ok) return chosen;
  const own = siteRulesOf(channel);
  if (!own.ok) return own;

  const { title, document } = titled(post);
  const text = wholeText({ title, document }, post);
  const error = checkPost(post, text.trim(), channel) ?? checkLength(text) ?? checkMedia(post);
  if (error) return { ok: false, error };

  const featured = post.media.length === 0 ? undefined : (post.article?.cover ?? 0);
  const body: Page = {
    title: title || untitled(post),
    content: contentOf({ ...post, document }, featured, losses),
    slug: post.article?.slug ?? latinWords(title, longestSlug),
    ...publishing(post, own.site),
    ...labels(post, own.site),
    ...(featured !== undefined && { featured }),
    ...words(post, losses),
    ...forSearches(post, own.site),
  };
  noteLosses(chosen.rules.options, losses);
  const lost = checkLosses(losses.losses, chosen.rules);
  if (lost) return { ok: false, error: lost };
  const request = { method: "POST /wp/v2/posts", body, text, media: post.media.map(compiledMedia) };
  return {
    ok: true,
    compiled: { platform: "wordpress", requests: [request], plainText: text, losses: losses.losses },
  };
}

function checkLength({ length }: string): SendError | undefined {
  return length > limits.text ? tooLong("the text", { length, limit: limits.text }) : undefined;
}

const pictures: ReadonlySet<string> = new Set(["photo", "animation"]);

function checkMedia({ media }: Post): SendError | undefined {
  const other = media.findIndex(({ kind }) => !pictures.has(kind));
  if (other >= 0)
    return invalid(`media ${other + 1} is of the kind ${media[other]?.kind}; a site gets pictures only`);
  if (media.length > limits.media)
    return invalid(`the post has ${media.length} pictures, at most ${limits.media} are accepted`, {
      length: media.length,
      limit: limits.media,
    });
  const homeless = media.findIndex(({ url, blobRef }) => !url && !blobRef);
  return homeless >= 0 ? missingOrigin(homeless) : undefined;
}

/** A post that is only pictures takes its title from their captions. */
const untitled = ({ media }: Post): string => media.find(({ alt }) => alt)?.alt ?? "";

/** The text, then pictures without a place in it; themes show the cover above. */
function contentOf(
  { document, media, buttons }: Post,
  featured: number | undefined,
  losses: LossLog,
): string {
  const placed = new Set(shownMedia(document));
  const others = media.flatMap((_, place) =>
    placed.has(place) || place === featured ? [] : [picturePlace(place)],
  );
  const parts = [
    blocksHtml(document, losses),
    ...others,
    ...(buttons.flat().length > 0 ? [buttonsHtml(buttons)] : []),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Alt texts and captions of pictures, if there are any. */
function words({ media }: Post, losses: LossLog): Pick<Page, "pictures"> {
  const pictures = media.map((item) => saidOf(item, losses));
  return pictures.some((said) => said.alt || said.caption) ? { pictures } : {};
}

function saidOf({ alt, caption }: Media, losses: LossLog): NonNullable<Page["pictures"]>[number] {
  const words = caption ? lineHtml(caption, losses) : "";
  return { ...(alt && { alt }), ...(words !== "" && { caption: words }) };
}

function publishing(
  { article }: Post,
  rules: SiteRules,
): Pick<Page, "status" | "publish_at" | "publish_after_minutes"> {
  const status = article?.status ?? rules.status;
  if (article?.publishAt) return { status, publish_at: article.publishAt };
  const minutes = rules.publishAfterMinutes;
  return { status, ...(minutes !== undefined && { publish_after_minutes: minutes }) };
}

function labels({ article }: Post, rules: SiteRules): Pick<Page, "categories" | "tags"> {
  const chosen = (own: readonly string[] = [], channels: readonly string[]) => [
    ...new Set(own.length > 0 ? own : channels),
  ];
  const categories = chosen(article?.categories, rules.categories);
  const tags = chosen(article?.tags, rules.tags);
  return { ...(categories.length > 0 && { categories }), ...(tags.length > 0 && { tags }) };
}

function forSearches(
  { article }: Post,
  rules: SiteRules,
): Pick<Page, "excerpt" | "seo" | "brand" | "json_ld" | "schema_type"> {
  if (!article) return {};
  const { title, description, focusKeyword, canonicalUrl, jsonLd, brand } = article;
  const { schemaType } = rules;
  const robots = article.robots ?? rules.robots;
  return {
    ...(description && { excerpt: description }),
    seo: {
      title,
      ...(description && { description }),
      ...(focusKeyword && { focus: focusKeyword }),
      ...(canonicalUrl && { canonical: canonicalUrl }),
      ...(robots.length > 0 && { robots: [...robots] }),
    },
    ...(brand && { brand: { ...brand } }),
    ...(jsonLd.length > 0 && { json_ld: jsonLd.map((object) => ({ ...object })) }),
    ...(schemaType && { schema_type: schemaType }),
  };
}

function noteLosses(options: PostOptions, losses: LossLog): void {
  if (options.protected) losses.add("not_protected");
  if (options.topicId !== undefined) losses.add("no_topic");
  if (options.replyTo !== undefined) losses.add("no_reply");
}
