import { settingsOf } from "../kernel/config/index.ts";
import { telegramApiRoot } from "../platforms/index.ts";
import { type Core, perCore } from "../workspaces/index.ts";
import { billingSettings } from "./environment.ts";
import { type Providers, providersOf } from "./providers/provider.ts";
import type { Shop } from "./sales/offer.ts";
import type { BotApiSettings } from "./stars/bot-api.ts";
import { starsProvider } from "./stars/provider.ts";
import { type StarsSales, starsSales } from "./stars/sell.ts";
import { starsTill } from "./stars/till.ts";
import { cardPartsOf } from "./yookassa/parts.ts";
import { cardProvider } from "./yookassa/provider.ts";
import { type CardSales, cardSales } from "./yookassa/sell.ts";

const botApi = perCore(
  ({ sql, http, credentials, providerEnvironment }): BotApiSettings => ({
    ...{ sql, http, token: credentials.token },
    apiRoot: telegramApiRoot(providerEnvironment),
  }),
);

/** All payment providers. */
export const paymentProviders = perCore((core): Providers => {
  const cards = cardPartsOf(core);
  return providersOf([starsProvider(botApi(core)), ...(cards ? [cardProvider(cards.deps)] : [])]);
});

/** What a bot needs to sell a shop's offers for Stars: how payments are recorded, and how a sale begins. */
export function sellForStars<Given>(
  core: Core,
  shop: Shop<Given>,
  bot: string,
): { readonly till: ReturnType<typeof starsTill>; readonly sales: StarsSales<Given> } {
  const { sql, clock, log } = core;
  return {
    till: starsTill({ sql, clock, log, shop, telegram: starsProvider(botApi(core)) }),
    sales: starsSales(shop, bot, { sql, clock, api: botApi(core) }),
  };
}

/** Roubles per dollar, for reports. */
export const usdRubOf = (core: Core): number => settingsOf(core, billingSettings).USD_RUB_RATE;

/** What a product needs to sell a shop's offers by card; undefined if no YooKassa shop is set up. */
export function sellByCard<Given>(core: Core, shop: Shop<Given>): CardSales<Given> | undefined {
  const cards = cardPartsOf(core);
  return cards && cardSales(shop, cards.deps);
}
