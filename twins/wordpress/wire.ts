import { shownMeta } from "./calls/meta.ts";
import { gmtDate, localDate } from "./dates.ts";
import type { Media, Post, Site, Term } from "./model.ts";
import type { Call } from "./request.ts";
import { yoastHead } from "./seo.ts";
import { plainText, renderContent, renderExcerpt, renderTitle } from "./text/render.ts";
import { slugOf } from "./text/slug.ts";
import { homeOf, restUrl, type WordPress } from "./twin.ts";

/** Objects in REST's format. */

type Context = "view" | "edit";
type Scope = Pick<Call, "wordpress" | "site">;

export function linkOf({ wordpress, site }: Scope, post: Post): string {
  const home = homeOf(wordpress, site);
  const isAddressed =
    site.options.permalinks === "pretty" && (post.status === "publish" || post.status === "private");
  return isAddressed && post.slug ? `${home}/${post.slug}/` : `${home}/?p=${post.id}`;
}

export function postView({ wordpress, site }: Scope, post: Post, context: Context) {
  const zone = site.options.timezone;
  const isEdit = context === "edit";
  const home = homeOf(wordpress, site);
  const rest = (route: string) => restUrl(wordpress, site, route);
  const link = linkOf({ wordpress, site }, post);
  return {
    id: post.id,
    date: localDate(post.date, zone),
    date_gmt: gmtDate(post.date),
    guid: { rendered: post.guid, ...(isEdit && { raw: post.guid }) },
    modified: localDate(post.modified, zone),
    modified_gmt: gmtDate(post.modified),
    ...(isEdit && { password: post.password }),
    slug: post.slug,
    status: post.status,
    type: "post",
    link,
    title: { ...(isEdit && { raw: post.title }), rendered: renderTitle(post.title) },
    content: {
      ...(isEdit && { raw: post.content }),
      rendered: renderContent(post.content),
      protected: post.password !== "",
      ...(isEdit && { block_version: post.content.includes("<!-- wp:") ? 1 : 0 }),
    },
    excerpt: {
      ...(isEdit && { raw: post.excerpt }),
      rendered: renderExcerpt(post.excerpt, post.content),
      protected: post.password !== "",
    },
    author: post.author,
    featured_media: post.featuredMedia,
    comment_status: post.commentStatus,
    ping_status: post.pingStatus,
    sticky: post.sticky,
    template: post.template,
    format: post.format,
    meta: shownMeta(site, post),
    categories: post.categories,
    tags: post.tags,
    ...(isEdit && {
      permalink_template:
        site.options.permalinks === "pretty" && post.status !== "trash"
          ? `${home}/%postname%/`
          : `${home}/?p=${post.id}`,
      generated_slug: decoded(slugOf(post.title)) || String(post.id),
    }),
    ...(site.options.plugins.includes("yoast") && yoastHead(wordpress, site, post, link)),
    _links: {
      self: [{ href: rest(`/wp/v2/posts/${post.id}`) }],
      collection: [{ href: rest("/wp/v2/posts") }],
      about: [{ href: rest("/wp/v2/types/post") }],
      author: [{ embeddable: true, href: rest(`/wp/v2/users/${post.author}`) }],
      "version-history": [{ count: post.revisions, href: rest(`/wp/v2/posts/${post.id}/revisions`) }],
    },
  };
}

export const uploadUrl = (wordpress: WordPress, site: Site, file: string) =>
  `${homeOf(wordpress, site)}/wp-content/uploads/${file}`;

export function mediaView({ wordpress, site }: Scope, media: Media, context: Context) {
  const zone = site.options.timezone;
  const isEdit = context === "edit";
  const url = uploadUrl(wordpress, site, media.file);
  const isImage = media.mime.startsWith("image/");
  const full = {
    file: media.file.split("/").at(-1),
    width: media.width,
    height: media.height,
    mime_type: media.mime,
    source_url: url,
  };
  return {
    id: media.id,
    date: localDate(media.date, zone),
    date_gmt: gmtDate(media.date),
    guid: { rendered: url, ...(isEdit && { raw: url }) },
    modified: localDate(media.modified, zone),
    modified_gmt: gmtDate(media.modified),
    slug: media.slug,
    status: "inherit",
    type: "attachment",
    link:
      site.options.permalinks === "pretty"
        ? `${homeOf(wordpress, site)}/${media.slug}/`
        : `${homeOf(wordpress, site)}/?attachment_id=${media.id}`,
    title: { ...(isEdit && { raw: media.title }), rendered: renderTitle(media.title) },
    author: media.author,
    featured_media: 0,
    comment_status: "open",
    ping_status: "closed",
    template: "",
    meta: [],
    description: {
      ...(isEdit && { raw: media.description }),
      rendered: media.description && renderContent(media.description),
    },
    caption: {
      ...(isEdit && { raw: media.caption }),
      rendered: media.caption && `<p>${renderTitle(media.caption)}</p>\n`,
    },
    alt_text: media.alt,
    media_type: isImage ? "image" : "file",
    mime_type: media.mime,
    media_details: isImage
      ? { width: media.width, height: media.height, file: media.file, filesize: media.bytes, sizes: { full } }
      : { filesize: media.bytes, sizes: {} },
    post: media.post,
    source_url: url,
    _links: {
      self: [{ href: restUrl(wordpress, site, `/wp/v2/media/${media.id}`) }],
      collection: [{ href: restUrl(wordpress, site, "/wp/v2/media") }],
    },
  };
}

export function termView({ wordpress, site }: Scope, term: Term) {
  const isCategory = term.taxonomy === "category";
  const base = isCategory ? "categories" : "tags";
  const posts = site.posts.filter(({ status }) => status === "publish");
  return {
    id: term.id,
    count: posts.filter(({ categories, tags }) => (isCategory ? categories : tags).includes(term.id)).length,
    description: term.description,
    link: termLink(wordpress, site, term),
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    ...(isCategory && { parent: term.parent }),
    meta: [],
    _links: {
      self: [{ href: restUrl(wordpress, site, `/wp/v2/${base}/${term.id}`) }],
      collection: [{ href: restUrl(wordpress, site, `/wp/v2/${base}`) }],
    },
  };
}

export function termLink(wordpress: WordPress, site: Site, term: Term): string {
  const home = homeOf(wordpress, site);
  if (site.options.permalinks === "plain")
    return term.taxonomy === "category" ? `${home}/?cat=${term.id}` : `${home}/?tag=${term.slug}`;
  const parent = site.terms.find(({ id }) => id === term.parent);
  const path = parent ? `${parent.slug}/${term.slug}` : term.slug;
  return `${home}/${term.taxonomy === "category" ? "category" : "tag"}/${path}/`;
}

export const excerptText = (post: Post) => plainText(renderExcerpt(post.excerpt, post.content));

function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
