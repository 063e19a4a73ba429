/** SEO Master's shop: the catalogue's tokens, for Stars and by card. */
import { z } from "zod";
import {
  type CardSales,
  type Providers,
  paymentProviders,
  type Shop,
  type StarsSales,
  sellByCard,
  sellForStars,
  tokenOffers,
} from "../../../billing/index.ts";
import { botApi, telegramBots } from "../../../dialogs/index.ts";
import { type Core, perCore } from "../../../workspaces/index.ts";
import { learnBotName } from "../../people/bot-name.ts";
import type { Whose } from "../../people/whose.ts";
import { botName } from "../bot-name.ts";

import { createSoldTask } from "./sold.ts";

export const product = "seo_tokens";
/** A sale remembers nothing of its own: what waits for tokens is kept by the conversation. */
export const given = z.object({});
export type Given = z.infer<typeof given>;

export interface Selling {
  readonly stars: StarsSales<Given>;
  /** Absent without a shop at YooKassa. */
  readonly cards: CardSales<Given> | undefined;
  readonly providers: Providers;
  /** Asks Telegram if need be: for work states only. */
  botName(workspaceId: string): Promise<string | undefined>;
  /** Where people return to the talk after they have paid; asks Telegram, too. */
  returnUrl(whose: Whose): Promise<string>;
}

export const sellingOf = perCore((core: Core) => {
  const { sql, clock } = core;
  const sold = createSoldTask({ sql, clock, given });
  const shop: Shop<Given> = { product, outcomes: sold, offers: tokenOffers };
  const { till, sales: stars } = sellForStars(core, shop, botName);
  const api = (workspaceId: string) => botApi({ workspaceId, bot: botName }, telegramBots(core));
  const nameIn = (workspaceId: string) => learnBotName({ sql, clock, api }, workspaceId);
  const selling: Selling = {
    ...{ stars, cards: sellByCard(core, shop), providers: paymentProviders(core) },
    botName: nameIn,
    async returnUrl({ workspaceId, userId }) {
      if (core.twinsUrl) return `${core.twinsUrl}/#telegram/${userId}`;
      const name = await nameIn(workspaceId);
      return name === undefined ? "https://t.me" : `https://t.me/${name}`;
    },
  };
  return { till, sold, selling };
});
