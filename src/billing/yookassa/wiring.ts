import { type CronEntry, every } from "../../kernel/jobs/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import type { Core } from "../../workspaces/index.ts";
import { type CardParts, cardPartsOf } from "./parts.ts";
import { forgetCardRequests, reconcileCardPayments, reconcileCardRefunds } from "./reconcile.ts";
import { renewDue, warnOfRenewals } from "./renew.ts";
import { cardRoutes } from "./routes.ts";

/** What payments by card add to a server. */
export function wireCards(core: Core) {
  const { sql, clock, publicUrl, keyValue, config } = core;
  const cards = cardPartsOf(core);
  const signingKeys = [config.QSTASH_CURRENT_SIGNING_KEY, config.QSTASH_NEXT_SIGNING_KEY];
  return {
    routes: [cardRoutes({ cards, sql, clock, publicUrl, keyValue, signingKeys })],
    cron: cards ? cardJobs(cards) : [],
    /** After the server, whose address is unknown before it listens. */
    afterServer: cards?.twinsUrl === undefined ? [] : [twinTells(core, cards.twinsUrl, cards)],
  };
}

/** Makes the twin's shop send its notifications here, as a shop's owner does in its settings. */
function twinTells(core: Core, twinsUrl: string, { deps }: CardParts): Service {
  return {
    name: "yookassa twin",
    async start() {
      const notification_url = `${core.ownUrl()}/api/yookassa/webhook`;
      const answer = await core.http.request({
        method: "POST",
        url: `${twinsUrl}/_control/yookassa/shops`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id: deps.yookassa.shopId, notification_url }),
      });
      if (answer.kind === "failure" || answer.status !== 200)
        core.log.warn({ notification_url }, "the twin of YooKassa did not take the address of notifications");
    },
    stop: async () => {},
  };
}

function cardJobs({ deps }: CardParts): CronEntry[] {
  return [
    every("*/5 * * * *", "billing.renew_cards", async () => {
      await warnOfRenewals(deps);
      await renewDue(deps);
    }),
    every("*/2 * * * *", "billing.reconcile_cards", async () => {
      await reconcileCardPayments(deps);
    }),
    every("23 * * * *", "billing.reconcile_card_refunds", async () => {
      await reconcileCardRefunds(deps);
      await forgetCardRequests(deps);
    }),
  ];
}
