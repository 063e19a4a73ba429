import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { listPackages } from "../catalogue/catalogue.ts";
import type { OutcomeTask } from "./outcome.ts";

/** Currencies of payments: roubles, and Telegram Stars. */
export const currencies = ["RUB", "XTR"] as const;
export type Currency = (typeof currencies)[number];

/** What a product sells: tokens, time on a plan, or both. */
export interface Offer {
  readonly code: string;
  /** All tokens, including the bonus; 0 for a plan. */
  readonly tokens: number;
  readonly bonus: number;
  /** The nominal price, from which the referral bonus is calculated. */
  readonly priceRub: number | null;
  /** It is sold only in currencies that have a price here. */
  readonly prices: Readonly<Partial<Record<Currency, number>>>;
  /** How long it lasts; null if it does not end. */
  readonly periodDays: number | null;
  /** Whether it can be bought once, and whether it can be renewed for every period. */
  readonly once: boolean;
  readonly recurring: boolean;
}

/**
 * A product's offers and the job that receives outcomes. `offers` is called for each sale, so that prices change
 * without a restart.
 */
export interface Shop<Given = unknown> {
  /** Lower-case letters; stored with every sale. */
  readonly product: string;
  readonly outcomes: OutcomeTask<Given>;
  offers(sql: Sql | Transaction, workspaceId: string): Promise<readonly Offer[]>;
}

/** The catalogue of tokens as offers. A package with a period may be bought once, or renewed. */
export async function tokenOffers(sql: Sql | Transaction, workspaceId: string): Promise<readonly Offer[]> {
  const packages = await listPackages(sql, workspaceId);
  return packages
    .filter(({ enabled }) => enabled)
    .map(({ code, tokens, bonus, price_rub, price_stars, subscription_days }) => ({
      ...{ code, tokens, bonus, priceRub: price_rub, periodDays: subscription_days },
      prices: { RUB: price_rub, XTR: price_stars },
      ...{ once: true, recurring: subscription_days !== null },
    }));
}
