import type { Root } from "hast";
import type { Language } from "../language/index.ts";
import { chooseLinks, indexSite, insertLinks, type SitePage } from "../links/index.ts";
import { type RenderedArticle, renderArticle } from "../render/index.ts";
import { cleanSource, readMarkdown } from "../render/read-markdown.ts";
import { type ArticleText, readTree, type Score, scoreArticle } from "../score/index.ts";
import type { Analysis } from "./analyse-competitors.ts";
import type { Article, Brief, StoredPicture, Written } from "./shape.ts";

export interface Assembling {
  readonly brief: Brief;
  readonly written: Written;
  /** The checked text. */
  readonly markdown: string;
  readonly pages: readonly SitePage[];
  readonly disclaimer: string | undefined;
  readonly pictures: readonly StoredPicture[];
}

/** The article as it is kept: with links to pages of the site, and descriptions of the pictures that exist. Pure. */
export function assembled(given: Assembling): Article {
  const { brief, written, markdown, pages, disclaimer, pictures } = given;
  const { text, links } = linked(markdown, brief, pages);
  return {
    title: written.title.replace(/\s+/g, " ").trim(),
    description: written.meta_description.replace(/\s+/g, " ").trim(),
    phrase: brief.cluster.main_phrase,
    markdown: renumbered(text, pictures),
    links,
    images_meta: pictures.map(({ number }) => written.images_meta[number - 1] ?? null),
    faq: written.faq_schema,
    disclaimer: disclaimer ?? null,
    brand: brief.brand,
    company: { name: brief.company.name, url: brief.site },
  };
}

/** Links to pages of the site, then to the pages elsewhere that the site's owner has named. */
function linked(
  markdown: string,
  { site, links: wanted }: Brief,
  pages: readonly SitePage[],
): { text: string; links: Article["links"] } {
  const targets = [
    ...(site === null || pages.length === 0 || wanted.internal === 0
      ? []
      : [{ index: indexSite(pages, { site }), most: wanted.internal }]),
    ...wanted.external.map((page) => ({ index: indexSite([page], { site: page.url }), most: 1 })),
  ];
  const links: Article["links"] = [];
  let text = markdown;
  for (const { index, most } of targets) {
    const chosen = chooseLinks(text, index, { most });
    text = insertLinks(text, chosen);
    links.push(...chosen.map(({ url, anchor }) => ({ url, anchor })));
  }
  return { text, links };
}

/** The places of pictures that failed go; the others are counted from one again. */
function renumbered(markdown: string, pictures: readonly StoredPicture[]): string {
  const places = new Map(pictures.map(({ number }, index) => [number, index + 1]));
  return markdown.replace(/\{\{ ?IMAGE_(\d{1,3}) ?\}\}/gi, (_, number: string) => {
    const place = places.get(Number(number));
    return place === undefined ? "" : `{{IMAGE_${place}}}`;
  });
}

/** Texts by their article, which is rendered for its score, its preview and its draft. */
const texts = new WeakMap<Article, Root>();

/** Undefined if the text cannot be read: rendering says why. */
function textOf(article: Article, isLinkAllowed: (url: string) => boolean): Root | undefined {
  const known = texts.get(article);
  if (known) return known;
  try {
    const read = readMarkdown(cleanSource(article.markdown), { isLinkAllowed });
    texts.set(article, read);
    return read;
  } catch {
    return undefined;
  }
}

/** Renders an article with its pictures at these addresses. */
export function renderPage(
  article: Article,
  pictures: readonly { readonly url: string; readonly width: number; readonly height: number }[],
  /** What it is by schema.org. */
  type?: string,
): RenderedArticle {
  const { title, description, phrase, markdown, links, faq, disclaimer, company } = article;
  const { text, accent, background } = article.brand;
  const allowed = new Set(links.map(({ url }) => url));
  const isLinkAllowed = (url: string) => allowed.has(url);
  const read = textOf(article, isLinkAllowed);
  return renderArticle({
    ...{ markdown, title, mainPhrase: phrase, images: pictures, faq },
    imagesMeta: article.images_meta.map(
      (meta) => meta && { alt: meta.alt, filename: meta.filename, caption: meta.figcaption },
    ),
    brand: { ...(text && { text }), ...(accent && { accent }), ...(background && { background }) },
    ...(disclaimer !== null && { disclaimer }),
    isLinkAllowed,
    ...(read && { text: read }),
    facts: {
      ...(type !== undefined && { type }),
      description,
      company: { name: company.name, ...(company.url && { url: company.url }) },
      keywords: [phrase],
    },
  });
}

/** The address of a picture while nobody looks at it. */
export const nowhere = (picture: StoredPicture) => ({
  ...{ url: `https://pictures.invalid/${picture.number}.webp` },
  ...{ width: picture.width, height: picture.height },
});

export interface Scored {
  readonly score: Score;
  readonly rendered: RenderedArticle;
  /** What a reader of the page sees. */
  readonly text: ArticleText;
}

export function scoreOf(
  article: Article,
  pictures: readonly StoredPicture[],
  { brief, analysis }: { brief: Brief; analysis: Analysis },
  language: Language,
): Scored {
  const rendered = renderPage(article, pictures.map(nowhere));
  const text = readTree(rendered.whole);
  const score = scoreArticle(
    {
      ...{ title: article.title, metaDescription: article.description, body: rendered.html, format: "html" },
      read: text,
      phrase: article.phrase,
      secondary: brief.cluster.phrases
        .map(({ phrase }) => phrase)
        .filter((phrase) => phrase !== article.phrase),
      targetWords: analysis.words,
      ...(brief.site && { site: brief.site }),
    },
    language,
  );
  return { score, rendered, text };
}
