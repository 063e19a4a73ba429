import type { Root } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { isHexColour, latinWords } from "../../content/index.ts";
import { pictureIn } from "./figures.ts";
import { contentsOf, withContents } from "./headings.ts";
import { element, escapeHtml, htmlOf, isElement } from "./html.ts";
import type { RenderedArticle } from "./render.ts";

/** Where the delivery engine finds a picture. */
export type PictureFile = { readonly url: string } | { readonly blob_ref: string };

/** What a site shows besides the text. */
export interface Publishing {
  readonly description?: string;
  readonly slug?: string;
  readonly canonicalUrl?: string | undefined;
  /** The site of the originals: the canonical address is the article's below it. */
  readonly canonicalSite?: string | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly robots?: string | undefined;
  readonly focusKeyword?: string;
  readonly status?: "publish" | "draft";
  /** The stored file of a picture, by its index; its address unless given. */
  readonly fileOf?: (index: number) => PictureFile;
}

/** The payload of a post with an article, as `publishAddressed` and the ingest accept it. */
export interface ArticlePayload {
  readonly text: string;
  readonly parse_mode: "HTML";
  readonly media: readonly (PictureFile & {
    readonly type: "photo";
    readonly alt: string;
    readonly caption: string;
  })[];
  readonly article: Readonly<Record<string, unknown>> & { readonly title: string };
}

const longest = { title: 300, description: 1000, slug: 200, focusKeyword: 200, label: 100 };

/**
 * A rendered article as a post of the delivery engine, for every platform. Pictures stand in the text as `media:N`. Structured data name
 * no pictures, because the addresses of our storage expire; a site writes its own.
 */
export function toArticle(rendered: RenderedArticle, publishing: Publishing = {}): ArticlePayload {
  const { title, images } = rendered;
  const { description, focusKeyword, robots, status } = publishing;
  const fileOf = publishing.fileOf ?? ((index: number): PictureFile => ({ url: images[index]?.url ?? "" }));
  const captions = captionsIn(rendered);
  const slug = latinWords(publishing.slug ?? title, longest.slug);
  const canonicalUrl = publishing.canonicalUrl ?? below(publishing.canonicalSite, slug);
  return {
    text: htmlOf(forDocument(rendered)),
    parse_mode: "HTML",
    media: images.map(({ alt }, index) => ({
      type: "photo",
      ...fileOf(index),
      alt,
      caption: escapeHtml(captions.get(index) ?? alt),
    })),
    article: {
      title: title.trim().slice(0, longest.title).toWellFormed(),
      ...(slug && { slug }),
      ...(description && { description: description.trim().slice(0, longest.description).toWellFormed() }),
      ...(canonicalUrl && { canonical_url: canonicalUrl }),
      categories: labels(publishing.categories, 20),
      tags: labels(publishing.tags, 50),
      ...brandOf(rendered),
      json_ld: rendered.jsonLd.map(({ image: _, ...thing }) => thing),
      ...(images.length > 0 && { cover: 0 }),
      ...(robots && { robots }),
      ...(focusKeyword && { focus_keyword: focusKeyword.trim().slice(0, longest.focusKeyword) }),
      ...(status && { status }),
    },
  };
}

/** The text with its contents. Documents of posts know pictures by their place among the media. */
function forDocument({ body, images, headings }: RenderedArticle): Root {
  const children = body.children.map((node) => {
    if (!isElement(node)) return node;
    const picture = pictureIn(node, images);
    if (picture !== undefined) return element("img", { src: `media:${picture}` });
    return /^h[2-6]$/.test(node.tagName) ? node : { ...node, properties: {} };
  });
  return withContents({ type: "root", children }, contentsOf(headings));
}

function brandOf({ brand }: RenderedArticle): { brand?: Readonly<Record<string, string>> } {
  const usable = Object.entries(brand).flatMap(([name, colour]) => {
    const value = colour?.trim() ?? "";
    return isHexColour(value) ? [[name, value]] : [];
  });
  return usable.length === 0 ? {} : { brand: Object.fromEntries(usable) };
}

function below(site: string | undefined, slug: string): string | undefined {
  return site && slug ? `${site.endsWith("/") ? site.slice(0, -1) : site}/${slug}/` : undefined;
}

function captionsIn({ body, images }: RenderedArticle): ReadonlyMap<number, string> {
  return new Map(
    body.children.flatMap((node): [number, string][] => {
      const picture = pictureIn(node, images);
      if (picture === undefined || !isElement(node)) return [];
      const caption = node.children.find((child) => isElement(child, "figcaption"));
      return [[picture, caption ? textOf(caption) : ""]];
    }),
  );
}

function labels(given: readonly string[] = [], most: number): string[] {
  return given
    .map((label) => label.trim().slice(0, longest.label).toWellFormed())
    .filter((label) => label !== "")
    .slice(0, most);
}
