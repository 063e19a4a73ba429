/** SEO Master without a chat: from a business to keywords, articles, pictures and posts. */

export { demoBusiness } from "./demo/demo-business.ts";
export { playWay } from "./demo/play/play-way.ts";
export { demoSeoBot } from "./demo/seed-seo-bot.ts";
export { notNeededIn } from "./document-variables.ts";
export { seo } from "./module.ts";
