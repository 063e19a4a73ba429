import { z } from "zod";
import { type BrandColours, isHexColour } from "./brand-css.ts";
import { isWebAddress } from "./link-address.ts";

/** What a post has besides its text when it is published as a page. Messengers show the title and report the rest as losses. */
export interface Article {
  readonly title: string;
  /** The last part of its address. */
  readonly slug?: string;
  /** One or two sentences for lists, searches and cards. */
  readonly description?: string;
  /** The address of the original if this is a copy; on cards the page to open. */
  readonly canonicalUrl?: string;
  /** Labels on the site. Routing tags, not these, choose the channels of a post. */
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** Structured data for searches: objects of schema.org. */
  readonly jsonLd: readonly Readonly<Record<string, unknown>>[];
  /** Colours of the text on pages of its own. */
  readonly brand?: BrandColours;
  /** Index of the media that is shown first and on cards. */
  readonly cover?: number;
  /** The phrase by which searches are to find it. */
  readonly focusKeyword?: string;
  /** Whether the site shows it; the channel decides where the article does not say. */
  readonly status?: ArticleStatus;
  /** What search robots are told of it; the channel decides where the article does not say. */
  readonly robots?: readonly string[];
  /** When the site itself is to show it. */
  readonly publishAt?: string;
}

export const articleStatuses = ["publish", "draft"] as const;
export type ArticleStatus = (typeof articleStatuses)[number];

const colour = z.string().trim().refine(isHexColour, "a colour is written as #rrggbb").nullish();
/** What search robots can be told. */
export const robotWords = z
  .string()
  .regex(
    /^(?:index|noindex|follow|nofollow|noarchive|nosnippet|noimageindex)(?: ?, ?(?:index|noindex|follow|nofollow|noarchive|nosnippet|noimageindex))*$/i,
    "words such as index, noindex, follow, nofollow, with commas between them",
  );

const label = z.string().trim().min(1).max(100);

/** An article in a payload. */
export const articleShape = z.strictObject({
  title: z.string().trim().min(1, "an article needs a title").max(300),
  slug: z
    .string()
    .max(200)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "small Latin letters and digits, with single - between them")
    .nullish(),
  description: z.string().trim().max(1000).nullish(),
  canonical_url: z
    .string()
    .max(2048)
    .refine(isWebAddress, "the address of the original begins with http:// or https://")
    .nullish(),
  categories: z.array(label).max(20).nullish(),
  tags: z.array(label).max(50).nullish().describe("Labels on the site; routing tags are the post's own"),
  json_ld: z.array(z.record(z.string(), z.unknown())).max(10).nullish(),
  brand: z
    .strictObject({ text: colour, accent: colour, background: colour })
    .nullish()
    .describe("On sites: colours of the text, of its accents and behind it"),
  cover: z.int().min(0).nullish().describe("Which of the media is the cover, counted from 0"),
  focus_keyword: z.string().trim().max(200).nullish().describe("The phrase by which searches are to find it"),
  status: z.enum(articleStatuses).nullish().describe("On sites: shown at once, or a draft for its editors"),
  robots: robotWords
    .nullish()
    .describe("On sites: what search robots are told; the channel decides where it is absent"),
  publish_at: z.iso
    .datetime({ offset: true })
    .nullish()
    .describe("On sites: when the site itself shows it; `scheduled_for` says when the site gets it"),
});

export function articleOf(given: z.infer<typeof articleShape>): Article {
  const { title, slug, description, canonical_url, cover, focus_keyword, status, publish_at } = given;
  return {
    title,
    ...(slug && { slug }),
    ...(description && { description }),
    ...(canonical_url && { canonicalUrl: canonical_url }),
    categories: given.categories ?? [],
    tags: given.tags ?? [],
    jsonLd: given.json_ld ?? [],
    ...brandOf(given.brand),
    ...(typeof cover === "number" && { cover }),
    ...(focus_keyword && { focusKeyword: focus_keyword }),
    ...(status && { status }),
    ...(given.robots && { robots: given.robots.split(",").map((word) => word.trim().toLowerCase()) }),
    ...(publish_at && { publishAt: publish_at }),
  };
}

function brandOf(given: z.infer<typeof articleShape>["brand"]): Pick<Article, "brand"> {
  const { text, accent, background } = given ?? {};
  const brand = { ...(text && { text }), ...(accent && { accent }), ...(background && { background }) };
  return Object.keys(brand).length === 0 ? {} : { brand };
}
