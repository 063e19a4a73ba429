/** A sale: what was offered to a person, at the price of that moment. Providers are known here only by name. */
import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Currency, Offer, Shop } from "./offer.ts";

const saleShape = z.object({
  id: z.int(),
  user_id: z.int(),
  product: z.string(),
  provider: z.string(),
  seller: z.string(),
  package: z.string(),
  tokens: z.int(),
  bonus: z.int(),
  amount: z.number(),
  currency: z.string(),
  period_days: z.int().nullable(),
  recurring: z.boolean(),
});
export type Sale = z.infer<typeof saleShape>;

export interface SaleRequest<Given> {
  readonly workspaceId: string;
  readonly userId: number;
  readonly shop: Shop<Given>;
  readonly provider: string;
  /** The account at the provider: a bot, a shop. */
  readonly seller: string;
  readonly currency: Currency;
  readonly code: string;
  /** Renewed for every period. */
  readonly recurring: boolean;
  readonly given: Given;
}

export type SaleBegun =
  | { readonly ok: true; readonly sale: Sale }
  | { readonly ok: false; readonly code: "not_sold" | "too_many_purchases" };

/** Stores what is offered. A repeat before it is paid returns the same sale. */
export async function beginSale<Given>(
  sql: Sql | Transaction,
  request: SaleRequest<Given>,
  now: Date,
): Promise<SaleBegun> {
  const { workspaceId, userId, shop, provider, seller, currency, code, recurring } = request;
  const offers = await shop.offers(sql, workspaceId);
  const offer = offers.find((each) => each.code === code);
  const price = offer?.prices[currency];
  if (!offer || price === undefined || !(recurring ? offer.recurring : offer.once))
    return { ok: false, code: "not_sold" };
  const given = JSON.stringify(shop.outcomes.checkGiven(request.given));
  const [row] = await sql<[{ id: number | null }]>`
    select billing.begin_sale(${workspaceId}, ${userId}, ${shop.product}, ${provider}, ${seller}, ${code}, ${offer.tokens},
      ${offer.bonus}, ${offer.priceRub}, ${price}, ${currency}, ${periodOf(offer, recurring)}, ${recurring}, ${shop.outcomes.name},
      ${given}::text::jsonb, ${now}) as id`;
  const sale = row.id === null ? undefined : await readSale(sql, workspaceId, row.id);
  return sale ? { ok: true, sale } : { ok: false, code: "too_many_purchases" };
}

export async function readSale(
  sql: Sql | Transaction,
  workspaceId: string,
  saleId: number,
): Promise<Sale | undefined> {
  const [row] = await sql`
    select id, user_id, product, provider, seller, package_name as package, tokens, bonus, amount::float8, currency, period_days, recurring
    from billing.sales where workspace_id = ${workspaceId} and id = ${saleId}`;
  return row && saleShape.parse(row);
}

/** Why a sale may not be paid for. */
export const saleRefusals = [
  "sale_unknown",
  "user_differs",
  "amount_differs",
  "already_paid",
  "already_subscribed",
  "too_many_purchases",
  "not_sold",
  "price_changed",
] as const;
export type SaleRefusal = (typeof saleRefusals)[number];

export interface Payable {
  readonly workspaceId: string;
  readonly saleId: number;
  readonly userId: number;
  readonly amount: number;
  readonly currency: string;
}

/** Checked just before money moves: undefined if it may be paid. The offer must still be sold, at the same price. */
export async function refusalToPay(
  sql: Sql,
  shop: Shop,
  { workspaceId, saleId, userId, amount, currency }: Payable,
  now: Date,
): Promise<SaleRefusal | undefined> {
  const [row] = await sql<[{ code: string | null }]>`
    select billing.sale_refusal(${workspaceId}, ${saleId}, ${userId}, ${amount}, ${currency}, ${now}) as code`;
  if (row.code !== null) return z.enum(saleRefusals).parse(row.code);
  const sale = await readSale(sql, workspaceId, saleId);
  if (!sale || sale.product !== shop.product) return "sale_unknown";
  const offers = await shop.offers(sql, workspaceId);
  const offer = offers.find(({ code }) => code === sale.package);
  if (!offer || !(sale.recurring ? offer.recurring : offer.once)) return "not_sold";
  return isAsOffered(sale, offer) ? undefined : "price_changed";
}

function isAsOffered(sale: Sale, offer: Offer): boolean {
  const price = Object.entries(offer.prices).find(([currency]) => currency === sale.currency)?.[1];
  return (
    price === sale.amount &&
    offer.tokens === sale.tokens &&
    offer.bonus === sale.bonus &&
    periodOf(offer, sale.recurring) === sale.period_days
  );
}

/** Tokens that are bought once do not expire. */
function periodOf({ periodDays, tokens }: Offer, recurring: boolean): number | null {
  return recurring || tokens === 0 ? periodDays : null;
}
