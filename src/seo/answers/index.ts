/** The shapes of models' answers, and which policy and prompt asks for each. */
export * from "./article.ts";
export * from "./keywords.ts";
export * from "./pictures.ts";
export * from "./posts.ts";
export { type SeoTask, seoTasks } from "./tasks.ts";
