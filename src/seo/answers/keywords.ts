import { z } from "zod";

/** What models answer about search phrases and competitors. */

export const clustersAnswer = z.object({
  clusters: z.array(
    z.object({
      cluster_name: z.string(),
      cluster_type: z.enum(["article", "product_page"]),
      main_phrase: z.string(),
      phrases: z.array(
        z.object({ phrase: z.string(), ai_suggested: z.boolean().describe("Фразы нет в присланном списке") }),
      ),
    }),
  ),
});
export type ClustersAnswer = z.infer<typeof clustersAnswer>;

/** Phrases without data behind them, when the source of volumes does not answer. */
export const keywordsAnswer = z.object({
  keywords: z.array(z.object({ phrase: z.string(), intent: z.enum(["commercial", "informational"]) })),
});
export type KeywordsAnswer = z.infer<typeof keywordsAnswer>;

export const competitorAnswer = z.object({
  pages_indexed: z.int().nullable().describe("null, если число страниц неизвестно"),
  key_topics: z.array(z.string()),
  content_gaps: z.array(z.string()),
  meta_analysis: z.string(),
  recommendations: z.array(z.string()).describe("От трёх до пяти"),
});
export type CompetitorAnswer = z.infer<typeof competitorAnswer>;
