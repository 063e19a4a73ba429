/** SEO Master without a chat: from a business to keywords, articles, pictures and posts. */
export { seo } from "./module.ts";
