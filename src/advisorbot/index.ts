/** The advisor's bot in Telegram: it shows, asks and carries; whatever it knows is the service's, behind HTTP. */
export { type AdvisorBotSettings, advisorBot, advisorBotFlows, botName } from "./bot.ts";
export { demoAdvisorBot } from "./demo/names.ts";
export { seedAdvisorBot } from "./demo/seed.ts";
export { advisorbot } from "./module.ts";
