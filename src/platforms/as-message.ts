import type { Article, Heading, LossLog, Post } from "../content/index.ts";

/**
 * Turns an article into a message for messengers: the title goes before the text, the cover before the media, inline
 * pictures become media, and fields that only pages have are reported as losses.
 */
export function asMessage(post: Post, losses: LossLog): Post {
  const { article, ...rest } = post;
  if (!article) return post;
  noteLosses(article, losses);
  return {
    ...rest,
    document: { blocks: [titleOf(article), ...post.document.blocks] },
    media: coverFirst(post),
  };
}

const titleOf = ({ title }: Article): Heading => ({
  type: "heading",
  level: 1,
  children: [{ type: "text", text: title }],
});

function coverFirst({ media, article }: Post): Post["media"] {
  const cover = article?.cover === undefined ? undefined : media[article.cover];
  return cover ? [cover, ...media.filter((item) => item !== cover)] : media;
}

function noteLosses(article: Article, losses: LossLog): void {
  const { slug, canonicalUrl, description, categories, tags, jsonLd, brand } = article;
  if (slug !== undefined || canonicalUrl !== undefined) losses.add("article_address");
  if (description !== undefined || jsonLd.length > 0) losses.add("article_description");
  if (categories.length > 0 || tags.length > 0) losses.add("article_labels");
  if (brand) losses.add("brand_colours");
}
