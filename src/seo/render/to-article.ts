import type { Element, Root } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { latinWords } from "../../content/index.ts";
import { pictureIn } from "./figures.ts";
import { element, escapeHtml, htmlOf, isElement, unwrapped } from "./html.ts";
import type { RenderedArticle } from "./render.ts";

/** Where the delivery engine finds a picture. */
export type PictureFile = { readonly url: string } | { readonly blob_ref: string };

/** What a site shows besides the text. */
export interface Publishing {
  readonly description?: string;
  readonly slug?: string;
  readonly canonicalUrl?: string;
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
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
  const { description, canonicalUrl, focusKeyword, status } = publishing;
  const fileOf = publishing.fileOf ?? ((index: number): PictureFile => ({ url: images[index]?.url ?? "" }));
  const captions = captionsIn(rendered);
  const slug = latinWords(publishing.slug ?? title, longest.slug);
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
      json_ld: rendered.jsonLd.map(({ image: _, ...thing }) => thing),
      ...(images.length > 0 && { cover: 0 }),
      ...(focusKeyword && { focus_keyword: focusKeyword.trim().slice(0, longest.focusKeyword) }),
      ...(status && { status }),
    },
  };
}

/** Documents of posts have neither anchors nor figures of their own. */
function forDocument({ body, images }: RenderedArticle): Root {
  const isAnchor = ({ tagName, properties }: Element) =>
    tagName === "a" && String(properties.href).startsWith("#");
  const children = body.children.map((node) => {
    if (!isElement(node)) return node;
    const picture = pictureIn(node, images);
    if (picture !== undefined) return element("img", { src: `media:${picture}` });
    return { ...node, properties: {}, children: unwrapped(node.children, isAnchor) };
  });
  return { type: "root", children };
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
