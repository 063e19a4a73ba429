/** The advisor's Telegram bot; it uses the advisor only through HTTP. */
export { type AdvisorBotSettings, advisorBot, botName } from "./bot.ts";
export { demoAdvisorBot } from "./demo/demo-advisor-bot.ts";
export { advisorbot } from "./module.ts";
export { type ProSales, proSales } from "./pro/pro-sales.ts";
export { proShop, proSold } from "./pro/shop.ts";
