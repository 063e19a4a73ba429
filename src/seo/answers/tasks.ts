import {
  articleAnswer,
  claimJudgeAnswer,
  critiqueAnswer,
  outlineAnswer,
  planAnswer,
  researchAnswer,
} from "./article.ts";
import { clustersAnswer, competitorAnswer, keywordsAnswer } from "./keywords.ts";
import { directorAnswer } from "./pictures.ts";
import { reviewsAnswer, socialAnswer, styleGuideAnswer } from "./posts.ts";

/** What is asked of models: each task has a policy and a prompt of its name (`seo_article`); descriptions are plain text. */
export const seoTasks = {
  article: { key: "seo_article", schemaName: "article", schema: articleAnswer },
  outline: { key: "seo_article_outline", schemaName: "article_outline", schema: outlineAnswer },
  critique: { key: "seo_article_critique", schemaName: "article_critique", schema: critiqueAnswer },
  research: { key: "seo_article_research", schemaName: "article_research", schema: researchAnswer },
  plan: { key: "seo_article_plan", schemaName: "article_plan", schema: planAnswer },
  claimJudge: { key: "seo_claim_judge", schemaName: "claim_verdicts", schema: claimJudgeAnswer },
  social: { key: "seo_social", schemaName: "social_post", schema: socialAnswer },
  crossPost: { key: "seo_cross_post", schemaName: "social_post", schema: socialAnswer },
  clusters: { key: "seo_keywords_cluster", schemaName: "keyword_clusters", schema: clustersAnswer },
  keywords: { key: "seo_keywords", schemaName: "keywords", schema: keywordsAnswer },
  reviews: { key: "seo_review", schemaName: "reviews", schema: reviewsAnswer },
  competitor: { key: "seo_competitor_analysis", schemaName: "competitor_analysis", schema: competitorAnswer },
  styleGuide: { key: "seo_style_guide", schemaName: "style_guide", schema: styleGuideAnswer },
  director: { key: "seo_image_director", schemaName: "image_director", schema: directorAnswer },
  description: { key: "seo_description" },
  image: { key: "seo_image" },
} as const;
export type SeoTask = keyof typeof seoTasks;
