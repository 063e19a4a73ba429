import type { MessageView, PlaceView } from "../shared/index.ts";
import type { Post, Site } from "./model.ts";
import { readPage } from "./text/read-page.ts";
import { plainText, renderContent, renderTitle } from "./text/render.ts";
import type { WordPress } from "./twin.ts";
import { linkOf, uploadUrl } from "./wire.ts";

/** Sites as the twins' page lists them, and their public posts as tests read them. */

export const isPublic = (post: Post) => post.status === "publish" && post.password === "";

export function placeView(site: Site): PlaceView {
  const posts = site.posts.filter(isPublic);
  const changes = posts.map(({ date, modified }) => Math.max(date, modified));
  return {
    provider: "wordpress",
    id: site.name,
    title: site.options.title,
    url: `/wordpress/${site.name}/${site.options.folder && `${site.options.folder}/`}`,
    items: posts.length,
    ...(changes.length > 0 && { changedAt: Math.max(...changes) }),
  };
}

export function messageView(wordpress: WordPress, site: Site, post: Post): MessageView {
  const { text, marks, images } = readPage(renderContent(post.content));
  const inText = images.flatMap((src) =>
    site.media.filter(({ file }) => uploadUrl(wordpress, site, file) === src),
  );
  const cover = site.media.filter(({ id }) => id === post.featuredMedia);
  return {
    id: String(post.id),
    at: post.date,
    author: { name: site.options.title, bot: false, mine: false },
    title: plainText(renderTitle(post.title)),
    text,
    marks,
    media: [...new Set([...cover, ...inText])].map(({ file, width, height, bytes }) => ({
      kind: "photo",
      url: uploadUrl(wordpress, site, file),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      size: bytes,
    })),
    buttons: [],
    linkPreview: { url: linkOf({ wordpress, site }, post) },
    edited: post.revisions > 0,
    silent: false,
    protected: false,
  };
}

/** Stores a change and updates the page. */
export function announce(wordpress: WordPress, site: Site): void {
  wordpress.store.changed();
  wordpress.context.bus.publish({ type: "place", provider: "wordpress", place: placeView(site) });
}

/** A post for the control API, whatever its status. */
export function postSummary(wordpress: WordPress, site: Site, post: Post) {
  return {
    id: post.id,
    status: post.status,
    title: plainText(renderTitle(post.title)),
    slug: post.slug,
    at: post.date,
    author: site.users.find(({ id }) => id === post.author)?.login ?? "",
    link: linkOf({ wordpress, site }, post),
    meta: post.meta,
  };
}
