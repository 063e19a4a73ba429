import { paymentProviders, sellForStars } from "../billing/index.ts";
import { createTelegramBot, telegramBots } from "../dialogs/index.ts";
import { settingsOf } from "../kernel/config/index.ts";
import type { Module } from "../module/index.ts";
import type { Core } from "../workspaces/index.ts";
import { createBackend } from "./backend/backend-client.ts";
import { advisorBot, advisorBotFlows, botName } from "./bot.ts";
import { seedAdvisorBot } from "./demo/seed-advisor-bot.ts";
import { advisorBotSettings } from "./environment.ts";
import { proSales } from "./pro/pro-sales.ts";
import { proShop, proSold } from "./pro/shop.ts";

/** In the demonstration Pro is sold by itself: the Stars there are nobody's. */
const demoStars = 250;

export const advisorbot = (tokenOf: (core: Core) => string | undefined): Module => ({
  name: "advisorbot",
  settings: advisorBotSettings,
  flows: advisorBotFlows,
  wire(core) {
    const settings = settingsOf(core, advisorBotSettings);
    const { ADVISOR_PRO_CONTACT: proContact, BACKEND_URL: url } = settings;
    const { sql, clock, vault, twinsUrl, patientHttp, ownUrl } = core;
    const stars = settings.ADVISOR_PRO_STARS ?? (twinsUrl === undefined ? undefined : demoStars);
    const backend = { url: () => url ?? ownUrl(), token: tokenOf(core) ?? "" };
    const sold = proSold({
      ...{ sql, clock, bot: botName },
      backend: () => createBackend({ ...backend, http: patientHttp }),
    });
    // Without a price nothing is sold, but what was sold is still charged, cancelled and given back.
    const { till, sales } = sellForStars(core, proShop(stars, sold), botName);
    const providers = paymentProviders(core);
    const pro = stars === undefined ? undefined : proSales({ sql, clock, providers, sales, stars });
    const bot = advisorBot({ http: patientHttp, clock, proContact, backend, selling: { pro, till } });
    return {
      bots: [createTelegramBot(bot, telegramBots(core))],
      tasks: [sold],
      async seed() {
        await seedAdvisorBot({ sql, clock, vault, twinsUrl });
        return [];
      },
    };
  },
});
