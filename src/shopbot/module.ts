import { deliveryParts } from "../delivery/index.ts";
import { takesPublishedSecrets } from "../kernel/config/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { Module } from "../module/index.ts";
import { seedShopBot } from "./demo/seed.ts";
import { forgetOldDialogues, watchBots } from "./monitor/monitor.ts";
import { shopBotParts, webhookUrlOf } from "./parts.ts";
import { shopBotRoutes } from "./routes.ts";
import { createSubscriptionKeeper } from "./subscription/keeper.ts";
import { createShopBot } from "./work/shop-bot.ts";

/** A bot that answers a shop's customers in MAX. */
export const shopbot: Module = {
  name: "shopbot",
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
            concurrency: config.MOLVA_BOT_CONCURRENCY,
            leaseSeconds: 2 * config.MOLVA_SEND_TIMEOUT_SECONDS + 10,
          }),
        ],
      },
      // MAX asks the address that it is told before it takes it.
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
