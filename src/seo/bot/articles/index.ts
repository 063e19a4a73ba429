import { beginAnother, beginPipeline, beginPublishing, beginWithCategory } from "./actions.ts";
import { beginAgain } from "./expiry.ts";
import { articlePipeline } from "./pipeline.ts";
import { publishArticleFlow } from "./publish-article.ts";
import { published } from "./published.ts";

export const articleFlows = [publishArticleFlow, articlePipeline] as const;
export const articleScreens = [
  ...[beginPublishing, beginPipeline, beginWithCategory, beginAnother],
  ...[beginAgain, published],
] as const;
