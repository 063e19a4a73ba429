import { another, begin, cross, result, start } from "./post-screens.ts";
import { publishPost } from "./publish-post.ts";
import { socialPipeline } from "./social-pipeline.ts";

export const postFlows = [publishPost, socialPipeline] as const;
export const postScreens = [start, another, begin, result, cross] as const;
