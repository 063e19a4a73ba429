/** The shop bot: answers customers in MAX by rules, and hands over to people. */
export { botProblems } from "./admin/problems.ts";
export { changeBot, readBot, setUpBot } from "./admin/setup.ts";
export { demoShop } from "./demo/names.ts";
export { seedShopBot } from "./demo/seed.ts";
export { forgetOldDialogues, watchBots } from "./monitor/monitor.ts";
export { shopBotRoutes } from "./routes.ts";
export { applyFile } from "./rules/releases.ts";
export { createSubscriptionKeeper } from "./subscription/keeper.ts";
export { createReplyCompiler } from "./work/compile-reply.ts";
export { createShopBot } from "./work/shop-bot.ts";
