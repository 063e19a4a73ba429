/** What the dialogues about an article remember: where it goes, what it is written from, and what their screens show. */
import { z } from "zod";

export const saidShape = z.object({ ru: z.string(), en: z.string() });

/** What is confirmed before anything is paid. */
export const confirmationShape = z.object({
  project: z.string(),
  /** Null: the article is only looked at. */
  site: z.string().nullable(),
  category: z.string(),
  clusters: z.int(),
  /** The phrase that it would be written for. */
  phrase: z.string().nullable(),
  images: z.int(),
  minutes: z.object({ from: z.number(), to: z.number() }),
  about: z.int(),
  /** What is held at most; 0 in dialogues that began before it was told. */
  most: z.int().default(0),
  balance: z.int(),
  /** An administrator pays nothing. */
  isFree: z.boolean(),
  /** Why it cannot be written: there is no phrase for it. */
  lacking: saidShape.nullable(),
});
export type Confirmation = z.infer<typeof confirmationShape>;

export const shownPlanShape = z.object({
  phrase: z.string(),
  angle: z.string(),
  titles: z.array(z.string()),
  readers: z.array(z.object({ reader: z.string(), questions: z.array(z.string()) })),
  gaps: z.array(z.string()),
  sources: z.array(z.object({ url: z.string(), title: z.string() })),
  needs: z.array(z.string()),
  own: z.array(z.string()),
  warnings: z.array(saidShape),
  from: z.number(),
  to: z.number(),
  question: saidShape.nullable(),
});
export type ShownPlan = z.infer<typeof shownPlanShape>;

/** An article as its person decides on it. */
export const reviewShape = z.object({
  previewId: z.int(),
  title: z.string(),
  words: z.int(),
  images: z.int(),
  headings: z.int(),
  phrase: z.string(),
  score: z.int(),
  warnings: z.array(z.object({ code: z.string(), message: saidShape })),
  url: z.string().nullable(),
  excerpt: z.string(),
  site: z.string().nullable(),
  tokens: z.int(),
  balance: z.int(),
  isFree: z.boolean(),
  freeLeft: z.int(),
  again: z.int(),
  /** A page of somebody else's making: the owner takes the HTML there. */
  byHand: z.boolean(),
  /** The page that it takes the place of, and how much of it changes. */
  update: z
    .object({
      ...{ url: z.string(), is_known: z.boolean(), added: z.int(), removed: z.int() },
      words: z.object({ before: z.int().nullable(), after: z.int() }),
    })
    .nullable()
    .default(null),
});
export type Review = z.infer<typeof reviewShape>;

export const siteShape = z.object({ id: z.int(), name: z.string() });

export const articleData = z.object({
  projectId: z.int(),
  categoryId: z.int(),
  /** The site; null: a preview only. */
  connectionId: z.int().nullable(),
  planId: z.string(),
  /** One question is asked; after it, none. */
  isAnswered: z.boolean(),
  phrase: z.string(),
  update: z.string(),
  anyway: z.boolean(),
  runId: z.string(),
  /** What an order that was refused would have held. */
  needed: z.int(),
  confirmation: confirmationShape.nullable(),
  plan: shownPlanShape.nullable(),
  review: reviewShape.nullable(),
  served: z.object({ said: saidShape, url: z.string().nullable(), others: z.array(z.string()) }).nullable(),
  /** What went wrong, as the person reads it, and what came back. */
  trouble: z.object({ said: saidShape, returned: z.int(), site: z.string() }).nullable(),
  sites: z.array(siteShape),
});
export type ArticleData = z.infer<typeof articleData>;

export const noArticle: ArticleData = {
  ...{
    projectId: 0,
    categoryId: 0,
    connectionId: null,
    planId: "",
    isAnswered: false,
    phrase: "",
    update: "",
  },
  ...{ anyway: false, runId: "", needed: 0, confirmation: null, plan: null, review: null, served: null },
  ...{ trouble: null, sites: [] },
};

/** Another article of the same place: nothing of the last one is left. */
export const anotherArticle = {
  ...{ planId: "", isAnswered: false, phrase: "", update: "", anyway: false, runId: "", needed: 0 },
  ...{ plan: null, review: null, served: null, trouble: null },
} satisfies Partial<ArticleData>;
