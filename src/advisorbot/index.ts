/** The advisor's bot in Telegram: it shows, asks and carries; whatever it knows is the service's, behind HTTP. */
export { type AdvisorBotSettings, advisorBotFlows, createAdvisorBot } from "./bot.ts";
export { introduceAdvisorBot } from "./demo/introduce.ts";
export { demoAdvisorBot } from "./demo/names.ts";
