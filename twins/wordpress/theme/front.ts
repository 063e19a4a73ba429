import type { Post, Site, Term } from "../model.ts";
import { escapeHtml } from "../text/kses.ts";
import { renderTitle } from "../text/render.ts";
import { homeOf, restUrl, type WordPress } from "../twin.ts";
import { excerptText, linkOf, uploadUrl } from "../wire.ts";
import { dayOf } from "./day.ts";
import { document } from "./document.ts";

export function frontPage(
  wordpress: WordPress,
  site: Site,
  posts: readonly Post[],
  term: Term | undefined,
): string {
  const ru = site.options.locale === "ru_RU";
  const cards = posts.map((post) => card(wordpress, site, post)).join("\n");
  const empty = `<p class="empty">${ru ? "Здесь пока ничего не опубликовано." : "Nothing has been published here yet."}</p>`;
  return document(site, {
    title: term?.name ?? site.options.title,
    home: `${homeOf(wordpress, site)}/`,
    head: `<link rel="https://api.w.org/" href="${escapeHtml(restUrl(wordpress, site, "/"))}">`,
    content: `<h1 class="lead">${term?.name ?? (ru ? "Новые статьи" : "Latest articles")}</h1>
${cards ? `<div class="cards">${cards}</div>` : empty}`,
  });
}

function card(wordpress: WordPress, site: Site, post: Post): string {
  const link = escapeHtml(linkOf({ wordpress, site }, post));
  const picture = site.media.find(({ id }) => id === post.featuredMedia);
  const image = picture
    ? `<img src="${escapeHtml(uploadUrl(wordpress, site, picture.file))}" alt="${escapeHtml(picture.alt)}" loading="lazy">`
    : `<div class="blank"></div>`;
  return `<article class="card">${image}<div class="text"><p class="note">${dayOf(site, post.date)}</p>
<h2><a href="${link}">${renderTitle(post.title)}</a></h2><p>${shorten(excerptText(post))}</p></div></article>`;
}

const shorten = (text: string) => (text.length > 180 ? `${text.slice(0, 180).replace(/\s\S*$/, "")}…` : text);
