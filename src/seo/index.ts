/** SEO Master without a chat: from a business to keywords, articles, pictures and posts. */

export { demoBusiness } from "./demo/demo-business.ts";
export { seo } from "./module.ts";
