import { z } from "zod";
import { articleAnswer } from "../answers/index.ts";
import { clusterSchema } from "../categories/clusters.ts";
import { usualInternalLinks } from "../connections/site-metadata.ts";
import { imageSettingsSchema, textSettingsSchema } from "../settings/shape.ts";
import { guideSchema } from "../styleguide/guide.ts";

/** What a run of an article keeps: its order, what it read, what it wrote. */

export const saidSchema = z.object({ ru: z.string(), en: z.string() });

export const warningSchema = z.object({ code: z.string(), message: saidSchema });
export type Warning = z.infer<typeof warningSchema>;

export const articleOrder = z.object({
  project_id: z.int(),
  category_id: z.int(),
  connection_id: z.int().nullable().describe("The site it is written for; null: for a preview only"),
  /** The run of the plan that it is written from. */
  plan: z.string().optional(),
  /** The page that it takes the place of. */
  update: z
    .object({
      url: z.string(),
      title: z.string(),
      /** By which its text is replaced; null if the page is not ours. */
      delivery_id: z.string().nullable(),
    })
    .optional(),
  /** The person knows of the page that serves the phrase. */
  anyway: z.boolean().optional(),
});
export type ArticleOrder = z.infer<typeof articleOrder>;

const line = z.string();

/** The business, the phrase and the wishes as they were when the run began. */
export const briefSchema = z.object({
  company: z.object({
    name: line,
    specialization: line,
    city: line,
    advantages: line,
    /** Its own facts, one on each line; prices are apart. */
    facts: z.array(line),
  }),
  site: z.string().nullable(),
  cluster: clusterSchema,
  image: imageSettingsSchema,
  text: textSettingsSchema,
  brand: z.object({ text: line, accent: line, background: line, primary: line }).partial(),
  prices: z.array(z.object({ name: line, price: line })),
  /** How many pages of the site it links to, and pages elsewhere. */
  links: z
    .object({ internal: z.int(), external: z.array(z.object({ url: line, title: line })) })
    .default({ internal: usualInternalLinks, external: [] }),
  niche: z.string(),
  /** How the project writes; null if it was not learned. */
  style: guideSchema.pick({ features: true, description: true }).nullable().default(null),
  advice: z.array(saidSchema),
  today: z.string(),
});
export type Brief = z.infer<typeof briefSchema>;

export type PageToUpdate = NonNullable<ArticleOrder["update"]>;

export const searchSchema = z.object({
  organic: z.array(z.object({ title: z.string(), link: z.string() })),
  questions: z.array(z.string()),
  related: z.array(z.string()),
});
export type Search = z.infer<typeof searchSchema>;

export const competitorSchema = z.object({
  url: z.string(),
  title: z.string(),
  summary: z.string(),
  headings: z.array(z.object({ level: z.int(), text: z.string() })),
  words: z.int(),
  /** What it says, to see whether anything was copied. */
  text: z.string().default(""),
});
export type Competitor = z.infer<typeof competitorSchema>;

/** A page that claims may rest on: its text, and the sentences that the model is shown. */
export const sourceSchema = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  text: z.string(),
  quotes: z.array(z.string()),
});
export type ArticleSource = z.infer<typeof sourceSchema>;

export const writtenSchema = articleAnswer.extend({ model: z.string(), prompt_version: z.int().nullable() });
export type Written = z.infer<typeof writtenSchema>;

/** A sentence that states something, and what it rests on. */
export const checkedClaim = z.object({
  sentence: z.string(),
  outcome: z.enum(["supported", "failed"]),
  reason: z.string().nullable(),
  source_ids: z.array(z.string()),
  quotes: z.array(z.string()),
  judged: z.string().nullable(),
});

export const checkedTextSchema = z.object({
  /** Without the sentences that nothing supports. */
  markdown: z.string(),
  claims: z.array(checkedClaim),
  /** For a rewriting: what failed and why. */
  requests: z.array(z.string()),
  /** Sentences that were taken out because another page has them. */
  copied: z.array(z.object({ sentence: z.string(), url: z.string() })).default([]),
});
export type CheckedText = z.infer<typeof checkedTextSchema>;

export const pictureSchema = z.object({
  number: z.int(),
  storage_path: z.string(),
  media_type: z.string(),
  width: z.int(),
  height: z.int(),
});
export type StoredPicture = z.infer<typeof pictureSchema>;

export const linkSchema = z.object({ url: z.string(), anchor: z.string() });

/** What is left when the writing is over; the page is rendered from it wherever it is needed. */
export const articleSchema = z.object({
  title: z.string(),
  description: z.string(),
  phrase: z.string(),
  markdown: z.string(),
  links: z.array(linkSchema),
  /** By picture; null where the model described none. */
  images_meta: z.array(
    z.object({ alt: z.string(), filename: z.string(), figcaption: z.string() }).nullable(),
  ),
  faq: z.array(z.object({ question: z.string(), answer: z.string() })),
  disclaimer: z.string().nullable(),
  brand: briefSchema.shape.brand,
  company: z.object({ name: z.string(), url: z.string().nullable() }),
});
export type Article = z.infer<typeof articleSchema>;

export const articleResult = z.object({
  article: articleSchema,
  pictures: z.array(pictureSchema),
  words: z.int(),
  score: z.object({ total: z.int(), breakdown: z.record(z.string(), z.number()) }),
  claims: z.array(checkedClaim),
  sources: z.array(z.object({ id: z.string(), url: z.string(), title: z.string() })),
  warnings: z.array(warningSchema),
  /** The page at Telegraph; null if there is none. */
  preview: z.object({ url: z.string(), path: z.string() }).nullable(),
  /** The beginning, for a chat without a preview. */
  excerpt: z.string(),
  /** SimHash of the text, as a decimal number. */
  content_hash: z.string(),
  model: z.string(),
  prompt_version: z.int().nullable(),
  ms: z.int().describe("From the order to the end of the writing"),
  regenerations: z.int().default(0).describe("That succeeded; the first two are free"),
  post_url: z.string().optional(),
});
export type ArticleResult = z.infer<typeof articleResult>;
