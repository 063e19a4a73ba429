import { deliveryParts } from "../delivery/index.ts";
import { settingsOf, takesPublishedSecrets } from "../kernel/config/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { Module } from "../module/index.ts";
import { addBotCommand } from "./commands/bot.ts";
import { seedShopBot } from "./demo/seed-shop-bot.ts";
import { shopBotSettings } from "./environment.ts";
import { shopBotMetrics } from "./metrics.ts";
import { forgetOldDialogues, watchBots } from "./monitor/bot-monitor.ts";
import { shopBotParts, webhookUrlOf } from "./parts.ts";
import { shopBotRoutes } from "./routes.ts";
import { createSubscriptionKeeper } from "./subscription/subscription-keeper.ts";
import { createShopBot } from "./work/shop-bot.ts";

export const shopbot: Module = {
  name: "shopbot",
  metrics: Object.values(shopBotMetrics),
  settings: shopBotSettings,
  commands: [addBotCommand],
  wire(core) {
    const { config, sql, clock, vault, metrics, platforms, twinsUrl } = core;
    const { payloads, media } = deliveryParts(core);
    const parts = shopBotParts(core);
    const publicUrl = () => webhookUrlOf(core);
    return {
      routes: [
        shopBotRoutes({
          ...{ ...parts, metrics, payloads, publicUrl },
          takesPublishedSecrets: takesPublishedSecrets(config),
        }),
      ],
      services: {
        bots: () => [
          createShopBot({
            ...{ ...parts, platforms, media },
            concurrency: settingsOf(core, shopBotSettings).MOLVA_BOT_CONCURRENCY,
            leaseSeconds: 2 * config.MOLVA_SEND_TIMEOUT_SECONDS + 10,
          }),
        ],
      },
      // MAX calls the address when it is subscribed.
      afterServer: { bots: () => [createSubscriptionKeeper({ ...parts, publicUrl })] },
      cron: [
        every("*/5 * * * *", "shopbot.monitor", () => watchBots(sql, clock.now())),
        every("53 * * * *", "shopbot.forget", () => forgetOldDialogues(sql, clock.now())),
      ],
      async seed() {
        await seedShopBot({ sql, clock, vault, twinsUrl });
        return [];
      },
    };
  },
};
