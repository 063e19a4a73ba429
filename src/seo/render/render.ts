import type { Element, Root } from "hast";
import { articleClass, type BrandColours } from "../../content/index.ts";
import type { Lemmas } from "../language/index.ts";
import { brandStyle } from "./brand-style.ts";
import { shownQuestions } from "./faq.ts";
import { placeFigures, withoutPlaceholders } from "./figures.ts";
import {
  type ArticleHeading,
  contentsOf,
  levelled,
  withContents,
  withIds,
  withoutOwnContents,
} from "./headings.ts";
import { copied, element, escapeHtml, htmlOf } from "./html.ts";
import { type ArticleImage, type DescribedImage, type ImageMeta, reconcileImages } from "./images.ts";
import {
  type ArticleFacts,
  articleJsonLd,
  faqJsonLd,
  jsonLdScript,
  type Question,
  type Thing,
} from "./json-ld.ts";
import { cleanSource, readMarkdown } from "./read-markdown.ts";
import type { SanitiseOptions } from "./sanitise.ts";

export interface RenderInput extends SanitiseOptions {
  readonly markdown: string;
  /** The first heading of the page; a title at the top of the Markdown is dropped for it. */
  readonly title: string;
  readonly mainPhrase: string;
  readonly images?: readonly ArticleImage[];
  readonly imagesMeta?: readonly (ImageMeta | null | undefined)[];
  readonly faq?: readonly Partial<Question>[];
  readonly brand?: BrandColours;
  /** What medical, legal and financial texts must say; plain text. */
  readonly disclaimer?: string;
  /** What structured data say about the article, besides its title and pictures. */
  readonly facts?: Omit<ArticleFacts, "title" | "images">;
  readonly lemmas?: Lemmas;
  /** The Markdown as `readMarkdown` read it with the same options, if that was done before. */
  readonly text?: Root;
}

export const renderWarnings = {
  markdown_parse_failed: "the text could not be read as Markdown and is shown as it was written",
  images_reconciled: "the pictures and their descriptions did not match",
  faq_left_out: "questions that do not stand in the text were left out of the structured data",
} as const;

export interface RenderWarning {
  readonly code: keyof typeof renderWarnings;
  readonly detail: string;
}

export interface RenderedArticle {
  readonly title: string;
  /** Style block, body and structured data: everything below the title. */
  readonly html: string;
  /** The same with the title as `h1`, for scoring and pages of our own. */
  readonly page: string;
  /** The same as a tree, without the style block. */
  readonly whole: Root;
  /** The sanitised text with its pictures, without contents, style and structured data. */
  readonly body: Root;
  readonly headings: readonly ArticleHeading[];
  readonly brand: BrandColours;
  /** Given pictures with their alt texts and names, by index. */
  readonly images: readonly DescribedImage[];
  readonly questions: readonly Question[];
  readonly jsonLd: readonly Thing[];
  readonly warnings: readonly RenderWarning[];
}

/** Renders a model's Markdown as a safe article. Never throws for a text: what cannot be read is shown as it was written. */
export function renderArticle(input: RenderInput): RenderedArticle {
  const { title, facts = {}, disclaimer } = input;
  const images = reconcileImages(input.images ?? [], input.imagesMeta ?? [], input);
  const read = bodyOf(input, images);
  const questions = shownQuestions(read.body, input.faq ?? []);
  const body: Root = {
    type: "root",
    children: [...read.body.children, ...(disclaimer?.trim() ? [disclaimerBlock(disclaimer)] : [])],
  };
  const shownUrls = read.shown.map(({ url }) => url);
  const faq = faqJsonLd(questions);
  const jsonLd = [articleJsonLd({ ...facts, title, images: shownUrls }), ...(faq ? [faq] : [])];
  const shown = withContents(body, contentsOf(read.headings));
  const html = [
    brandStyle(input.brand ?? {}),
    `<div class="${articleClass}">${htmlOf(shown)}</div>`,
    ...jsonLd.map(jsonLdScript),
  ].join("");
  return {
    title,
    html,
    page: `<h1>${escapeHtml(title)}</h1>${html}`,
    whole: { type: "root", children: [...shown.children, ...jsonLd.map(scriptOf)] },
    body,
    headings: read.headings,
    brand: input.brand ?? {},
    images,
    questions,
    jsonLd,
    warnings: [...read.warnings, ...imageWarnings(input, images), ...faqWarnings(input.faq ?? [], questions)],
  };
}

const scriptOf = (thing: Thing): Element =>
  element("script", { type: "application/ld+json" }, JSON.stringify(thing));

interface ReadBody {
  readonly body: Root;
  readonly headings: readonly ArticleHeading[];
  readonly shown: readonly DescribedImage[];
  readonly warnings: readonly RenderWarning[];
}

function bodyOf(input: RenderInput, images: readonly DescribedImage[]): ReadBody {
  const source = cleanSource(input.markdown);
  let text: Root;
  try {
    // Headings are changed where they stand, so a text that others have too is copied.
    text = input.text ? copied(input.text) : readMarkdown(source, input);
  } catch (error) {
    // E47: a text that no parser can read is still the author's text.
    const detail = error instanceof Error ? error.message : String(error);
    const shownAsIs: Root = {
      type: "root",
      children: [element("pre", {}, withoutPlaceholders(source).trim())],
    };
    return {
      body: shownAsIs,
      headings: [],
      shown: [],
      warnings: [{ code: "markdown_parse_failed", detail }],
    };
  }
  const placed = placeFigures(withoutOwnContents(levelled(text)), images);
  const { tree: body, headings } = withIds(placed);
  return { body, headings, shown: images, warnings: [] };
}

function disclaimerBlock(text: string): Element {
  return element("blockquote", { className: ["article-disclaimer"] }, element("p", {}, text.trim()));
}

function imageWarnings(
  { imagesMeta = [], markdown }: RenderInput,
  images: readonly DescribedImage[],
): RenderWarning[] {
  const wanted = new Set(markdown.match(/\{\{ ?IMAGE_\d{1,3} ?\}\}/gi)).size;
  const generic = images.filter(({ isGeneric }) => isGeneric).length;
  if (imagesMeta.length === images.length && wanted === images.length && generic === 0) return [];
  const detail = `${images.length} pictures, ${imagesMeta.length} descriptions, ${wanted} places, ${generic} described by the title`;
  return [{ code: "images_reconciled", detail }];
}

function faqWarnings(given: readonly Partial<Question>[], shown: readonly Question[]): RenderWarning[] {
  const texts = new Set(shown.map(({ question }) => question));
  const missing = given.filter(({ question }) => !texts.has((question ?? "").replace(/\s+/g, " ").trim()));
  return missing.length === 0
    ? []
    : [{ code: "faq_left_out", detail: `${missing.length} of ${given.length} questions` }];
}
