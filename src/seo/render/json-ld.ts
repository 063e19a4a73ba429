import { isWebAddress } from "../../content/index.ts";

export type Thing = Readonly<Record<string, unknown>>;

/** What a connection may call its articles; `HowTo` and `Product` need fields that a text does not have. */
export const articleTypes = ["Article", "BlogPosting", "NewsArticle", "TechArticle"] as const;
export type ArticleType = (typeof articleTypes)[number];

export interface ArticleFacts {
  /** Chosen by the connection; unknown ones are `Article`. */
  readonly type?: string;
  readonly title: string;
  readonly description?: string;
  readonly url?: string;
  readonly images?: readonly string[];
  readonly company?: { readonly name: string; readonly url?: string };
  readonly publishedAt?: Date;
  readonly modifiedAt?: Date;
  readonly language?: string;
  readonly keywords?: readonly string[];
}

export interface Question {
  readonly question: string;
  readonly answer: string;
}

/** Search engines cut headlines there. */
const longestHeadline = 110;

export function articleJsonLd(facts: ArticleFacts): Thing {
  const { title, description, url, company, publishedAt, modifiedAt, keywords = [] } = facts;
  const type = articleTypes.find((known) => known === facts.type) ?? "Article";
  const organisation = company && {
    "@type": "Organization",
    name: company.name,
    ...(company.url && isWebAddress(company.url) && { url: company.url }),
  };
  const images = (facts.images ?? []).filter(isWebAddress);
  return {
    "@context": "https://schema.org",
    "@type": type,
    headline: shortened(title, longestHeadline),
    ...(description && { description }),
    ...(images.length > 0 && { image: images }),
    ...(organisation && { author: organisation, publisher: organisation }),
    ...(publishedAt && { datePublished: publishedAt.toISOString() }),
    ...(modifiedAt && { dateModified: modifiedAt.toISOString() }),
    ...(url && isWebAddress(url) && { mainEntityOfPage: { "@type": "WebPage", "@id": url } }),
    inLanguage: facts.language ?? "ru",
    ...(keywords.length > 0 && { keywords: keywords.join(", ") }),
  };
}

/** Undefined without a single whole question. */
export function faqJsonLd(questions: readonly Question[]): Thing | undefined {
  if (questions.length === 0) return undefined;
  return {
    "@context": "https://schema.org",
    "@type": "FAQPage",
    mainEntity: questions.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  };
}

/** A script element that no text inside can close; it is read again before it is used. */
export function jsonLdScript(thing: Thing): string {
  const json = JSON.stringify(thing).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const read: unknown = JSON.parse(json);
  if (typeof read !== "object" || read === null || !("@type" in read))
    throw new Error("structured data without a type");
  return `<script type="application/ld+json">${json}</script>`;
}

function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 1);
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(" "), longest / 2))
    .toWellFormed()
    .trimEnd()}…`;
}
