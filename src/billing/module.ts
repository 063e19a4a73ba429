import { settingsOf } from "../kernel/config/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { Core } from "../workspaces/index.ts";
import { checkAllBooks } from "./books/check.ts";
import { compareAllProviders } from "./books/compare-providers.ts";
import { returnLostHolds } from "./books/lost-holds.ts";
import { addBilling } from "./commands/billing.ts";
import { billingSettings } from "./environment.ts";
import { paymentProviders } from "./parts.ts";
import { billingRoutes } from "./routes.ts";
import { reviewSubscriptions } from "./sales/subscriptions.ts";
import { wireCards } from "./yookassa/wiring.ts";

/** Tokens and money. */
export const billing = {
  name: "billing",
  settings: billingSettings,
  commands: [addBilling],
  wire(core: Core) {
    const { sql, clock, log } = core;
    const providers = paymentProviders(core);
    const usdRub = settingsOf(core, billingSettings).USD_RUB_RATE;
    const cards = wireCards(core);
    return {
      routes: [...cards.routes, billingRoutes({ sql, clock, usdRub, providers })],
      cron: [
        ...cards.cron,
        every("*/10 * * * *", "billing.return_lost_holds", async () => {
          await returnLostHolds(sql, clock.now());
        }),
        every("* * * * *", "billing.review_subscriptions", async () => {
          await reviewSubscriptions(sql, clock.now());
        }),
        every("37 1 * * *", "billing.compare_providers", async () => {
          const count = await compareAllProviders(sql, providers, clock.now());
          if (count > 0)
            log.error({ count }, "payments differ from what providers say: molva billing check says where");
        }),
        every("17 1 * * *", "billing.check", async () => {
          for (const wrong of await checkAllBooks(sql, clock.now()))
            log.error(wrong, "the books of a workspace are wrong: molva billing check says where");
        }),
      ],
      afterServer: { jobs: () => cards.afterServer },
    };
  },
};
