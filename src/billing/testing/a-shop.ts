import { z } from "zod";
import { type Currency, type Offer, type Shop, tokenOffers } from "../sales/offer.ts";
import { defineOutcomeTask, type SaleOutcome } from "../sales/outcome.ts";

export interface Heard {
  readonly given: { readonly work: string };
  readonly outcome: SaleOutcome;
}

/** A product that sells the catalogue's tokens, and the outcomes it received. */
export function aShop(heard: Heard[] = []): Shop<{ work: string }> {
  return {
    product: "a_product",
    outcomes: defineOutcomeTask({
      name: "a_product.sold",
      given: z.object({ work: z.string() }),
      run: async (job) => void heard.push(job),
    }),
    offers: tokenOffers,
  };
}

/** A product that sells time on a plan. */
export function aPlanShop(price = 250): Shop<{ work: string }> {
  return {
    ...aShop(),
    product: "a_plan",
    offers: async () => [aPlan({ XTR: price })],
  };
}

export const aPlan = (prices: Partial<Record<Currency, number>>): Offer => ({
  ...{
    code: "plan",
    tokens: 0,
    bonus: 0,
    priceRub: null,
    prices,
    periodDays: 30,
    once: true,
    recurring: true,
  },
});
