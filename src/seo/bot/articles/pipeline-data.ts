/** What the pipeline of an article remembers besides the article. */
import { z } from "zod";
import { noWordPress, wordpressAnswers } from "../connections/connect-wordpress.ts";
import { nothingPrepared, preparedData } from "../pipeline/prepared-data.ts";
import { articleData, noArticle, saidShape } from "./article-data.ts";

/** What is there for an article, and what it costs. */
export const readinessShape = z.object({
  /** Why nothing can be written: there are no phrases, or none for articles. */
  lacking: saidShape.nullable(),
  phrases: z.int(),
  hasDescription: z.boolean(),
  prices: z.int(),
  images: z.int(),
  imagesCost: z.int(),
  about: z.int(),
  balance: z.int(),
  isFree: z.boolean(),
  /** How much the person has published: who has done it often is shown more. */
  publications: z.int(),
});
export type Readiness = z.infer<typeof readinessShape>;

export const pipelineData = z.object({
  ...articleData.shape,
  ...preparedData.shape,
  ...wordpressAnswers.shape,
  /** What was published last. */
  last: z
    .object({
      ...{ projectId: z.int(), connectionId: z.int(), categoryId: z.int() },
      ...{ project: z.string(), site: z.string(), category: z.string() },
    })
    .nullable(),
  readiness: readinessShape.nullable(),
});
export type PipelineData = z.infer<typeof pipelineData>;

export const emptyPipeline: PipelineData = {
  ...{ ...noArticle, ...nothingPrepared, ...noWordPress, last: null, readiness: null },
};
