import { gmtDate } from "../dates.ts";
import type { Post, Site } from "../model.ts";
import { type Seo, schemaOf, seoOf } from "../seo.ts";
import { escapeHtml } from "../text/kses.ts";
import { plainText, renderContent, renderTitle } from "../text/render.ts";
import { homeOf, type WordPress } from "../twin.ts";
import { linkOf, termLink, uploadUrl } from "../wire.ts";
import { dayOf } from "./day.ts";
import { document } from "./document.ts";

export function articlePage(wordpress: WordPress, site: Site, post: Post): string {
  const link = linkOf({ wordpress, site }, post);
  const seo = seoOf(site, post, link);
  const picture = site.media.find(({ id }) => id === post.featuredMedia);
  const image = picture && uploadUrl(wordpress, site, picture.file);
  const shown = withLinksHere(wordpress, renderContent(post.content));
  const text = withLoading(site, shown, picture ? 1 : 0);
  const { html, contents } = withContents(site, text);
  const author = site.users.find(({ id }) => id === post.author)?.name ?? "";
  const [category] = termsOf(wordpress, site, post.categories);
  const hero =
    picture && image
      ? `<figure class="hero"><img src="${escapeHtml(image)}" alt="${escapeHtml(picture.alt)}">${
          picture.caption && `<figcaption>${renderTitle(picture.caption)}</figcaption>`
        }</figure>`
      : "";
  const terms = [
    ...termsOf(wordpress, site, post.categories),
    ...termsOf(wordpress, site, post.tags, "#"),
  ].join("");
  return document(site, {
    title: seo.title,
    home: `${homeOf(wordpress, site)}/`,
    head: headOf(wordpress, site, post, seo, image),
    content: `<article class="post">
<p class="note">${category ? category.replace("<a ", '<a class="kicker" ') : ""}</p>
<h1>${renderTitle(post.title)}</h1>
<p class="note"><time datetime="${gmtDate(post.date)}Z">${dayOf(site, post.date)}</time>${author && ` · ${escapeHtml(author)}`}</p>
${hero}
${contents}
<div class="entry">${html}</div>
<nav class="terms">${terms}</nav>
</article>`,
  });
}

function headOf(wordpress: WordPress, site: Site, post: Post, seo: Seo, image: string | undefined): string {
  // `<` inside a script would end it early.
  const schema = JSON.stringify(schemaOf(wordpress, site, post, seo, image)).replaceAll("<", "\\u003c");
  return [
    `<meta name="description" content="${escapeHtml(seo.description)}">`,
    `<meta name="robots" content="${seo.noindex ? "noindex, follow" : "index, follow, max-image-preview:large"}">`,
    `<link rel="canonical" href="${escapeHtml(seo.canonical)}">`,
    `<meta property="og:title" content="${escapeHtml(seo.title)}">`,
    `<meta property="og:description" content="${escapeHtml(seo.description)}">`,
    `<meta property="og:url" content="${escapeHtml(seo.canonical)}">`,
    ...(image ? [`<meta property="og:image" content="${escapeHtml(image)}">`] : []),
    `<script type="application/ld+json">${schema}</script>`,
  ].join("\n");
}

function termsOf(wordpress: WordPress, site: Site, ids: readonly number[], sign = ""): string[] {
  return ids.flatMap((id) => {
    const term = site.terms.find((each) => each.id === id);
    return term ? [`<a href="${escapeHtml(termLink(wordpress, site, term))}">${sign}${term.name}</a>`] : [];
  });
}

/** Links to sites of this twin lead to it: no browser finds their names. */
function withLinksHere({ context }: WordPress, html: string): string {
  return html.replace(
    /(<a [^<>]{0,200}?href=")https:\/\/([a-z0-9-]{1,63})\.wordpress\.test(?=[/"])/g,
    (_, before: string, name: string) => `${before}${context.options.baseUrl}/wordpress/${name}`,
  );
}

/** WordPress lets the first pictures of a page load at once. */
const eagerPictures = 3;

/** Pictures of the library get their size, and all but the first ones are loaded when a reader comes near them. */
function withLoading(site: Site, html: string, shownBefore: number): string {
  let shown = shownBefore;
  return html.replace(/<img\b[^<>]*>/g, (tag) => {
    shown += 1;
    const id = /\bwp-image-(\d{1,9})\b/.exec(tag)?.[1];
    const media = site.media.find((each) => each.id === Number(id));
    if (!media?.width || /\s(?:width|loading)=/.test(tag)) return tag;
    const lazy = shown > eagerPictures ? ' loading="lazy"' : "";
    return tag.replace("<img", `<img${lazy} width="${media.width}" height="${media.height}"`);
  });
}

const fewestHeadings = 3;

/** Long articles get a table of contents, unless they have one. */
function withContents(site: Site, html: string): { html: string; contents: string } {
  const entries: { level: number; id: string; text: string }[] = [];
  const marked = html
    .split(/(?=<h[23][\s>])/i)
    .map((part) => {
      const [, level, attributes = ""] = /^<h([23])([^<>]*)>/i.exec(part) ?? [];
      const end = level === undefined ? -1 : part.indexOf(`</h${level}>`);
      if (level === undefined || end < 0) return part;
      const opening = `<h${level}${attributes}>`;
      const given = /\bid="([^"]*)"/.exec(attributes)?.[1];
      const id = given ?? `part-${entries.length + 1}`;
      entries.push({ level: Number(level), id, text: plainText(part.slice(opening.length, end)) });
      return given === undefined ? `<h${level} id="${id}"${attributes}>${part.slice(opening.length)}` : part;
    })
    .join("");
  const hasOwn = entries.some(({ id }) => html.includes(`href="#${id}"`));
  if (entries.length < fewestHeadings || hasOwn) return { html: marked, contents: "" };
  const title = site.options.locale === "ru_RU" ? "Содержание" : "Contents";
  const items = entries.map(({ level, id, text }) => {
    const item = `<a href="#${escapeHtml(id)}">${text}</a>`;
    return level === 2 ? `<li>${item}</li>` : `<li class="inner">${item}</li>`;
  });
  return {
    html: marked,
    contents: `<nav class="contents"><strong>${title}</strong><ol>${items.join("")}</ol></nav>`,
  };
}
