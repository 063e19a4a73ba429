/** The shop bot: answers customers in MAX by rules, and hands over to people. */
export { setUpBot } from "./admin/bot-setup.ts";
export { demoShop } from "./demo/demo-shop.ts";
export { seedWithRules } from "./demo/rules-sql.ts";
export { shopbot } from "./module.ts";
export { applyFile } from "./rules/releases.ts";
export { createReplyCompiler } from "./work/compile-reply.ts";
