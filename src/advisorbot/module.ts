import { createTelegramBot, telegramBots } from "../dialogs/index.ts";
import type { Module } from "../module/index.ts";
import type { Core } from "../workspaces/index.ts";
import { advisorBot, advisorBotFlows } from "./bot.ts";
import { seedAdvisorBot } from "./demo/seed.ts";

/** The advisor's bot in Telegram; the token that opens the advisor is all it knows of it. */
export const advisorbot = (tokenOf: (core: Core) => string | undefined): Module => ({
  name: "advisorbot",
  flows: advisorBotFlows,
  wire(core) {
    const { config, sql, clock, vault, twinsUrl, patientHttp, ownUrl } = core;
    const bot = advisorBot({
      ...{ http: patientHttp, clock, proContact: config.ADVISOR_PRO_CONTACT },
      backend: { url: () => config.BACKEND_URL ?? ownUrl(), token: tokenOf(core) ?? "" },
    });
    return {
      bots: [createTelegramBot(bot, telegramBots(core))],
      async seed() {
        await seedAdvisorBot({ sql, clock, vault, twinsUrl });
        return [];
      },
    };
  },
});
