import type { ArticleText } from "./read-article.ts";

/** What is scored: an article as it will be published, or its Markdown with what publishing adds. */
export interface ScoreInput {
  /** The title is the H1; the body begins with H2. */
  readonly title?: string | undefined;
  readonly metaDescription?: string | undefined;
  readonly body: string;
  readonly format: "markdown" | "html";
  /** The body as `readArticle` read it, if that was done before. */
  readonly read?: ArticleText | undefined;
  readonly phrase: string;
  readonly secondary?: readonly string[] | undefined;
  readonly targetWords?: { readonly min: number; readonly max: number } | undefined;
  /** Questions that are kept apart from the body. */
  readonly faq?: readonly { readonly question: string; readonly answer: string }[] | undefined;
  /** Pictures that are kept apart from the body. */
  readonly images?: readonly { readonly alt?: string | undefined }[] | undefined;
  /** Internal links that are kept apart from the body. */
  readonly links?: readonly string[] | undefined;
  /** The address of the site: links there are internal. Relative links always are. */
  readonly site?: string | undefined;
  /** What rendering will add, so that Markdown is not blamed for it. */
  readonly adds?:
    | { readonly contents?: boolean | undefined; readonly schema?: boolean | undefined }
    | undefined;
}

/** Where no target is given: the document's settings without data about competitors. */
export const usualWords = { min: 1500, max: 2500 };
