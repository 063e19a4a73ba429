import { beginSale, refusalToPay, type SaleRefusal, type SaleRequest } from "../sales/sale.ts";
import { contactOf } from "./contact.ts";
import { type CardDeps, type PaymentRef, provider } from "./deps.ts";
import { prepareRequest } from "./request.ts";
import { sendRequest } from "./send-request.ts";
import { settleCardPayment } from "./settle.ts";
import type { CardPayment } from "./shapes.ts";

export interface CardSaleRequest<Given> extends Omit<SaleRequest<Given>, "provider" | "seller" | "currency"> {
  /** Where the person returns, paid or not: the bot. */
  readonly returnUrl: string;
}

export type CardSale =
  /** The person pays at this address. */
  | { readonly kind: "pay"; readonly url: string; readonly paymentId: number; readonly saleId: number }
  /** Ask for an e-mail or a phone, store it by `keepContact` and try again. */
  | { readonly kind: "contact_needed" }
  /** It was paid a moment ago; the product is told as for every payment. */
  | { readonly kind: "paid" }
  | { readonly kind: "refused"; readonly code: SaleRefusal | "recurring_not_allowed" | "provider_refused" }
  /** YooKassa does not answer; the same request finds the same payment later. */
  | { readonly kind: "later" };

/** Begins a sale by card. A repeat before it is paid returns the same payment. */
export async function payByCard<Given>(deps: CardDeps, request: CardSaleRequest<Given>): Promise<CardSale> {
  const { sql, clock, yookassa } = deps;
  const { workspaceId, userId, shop, returnUrl } = request;
  if (deps.receipts && !(await contactOf(sql, { workspaceId, userId }))) return { kind: "contact_needed" };
  const begun = await beginSale(
    sql,
    { ...request, provider, seller: yookassa.shopId, currency: "RUB" },
    clock.now(),
  );
  if (!begun.ok) return { kind: "refused", code: begun.code };
  const { id: saleId, amount, currency } = begun.sale;
  const payable = { workspaceId, saleId, userId, amount, currency };
  const refusal = await refusalToPay(sql, shop, payable, clock.now());
  if (refusal === "already_paid") return { kind: "paid" };
  if (refusal) return { kind: "refused", code: refusal };
  return offerPayment(deps, { workspaceId, saleId, returnUrl });
}

interface Wanted {
  readonly workspaceId: string;
  readonly saleId: number;
  readonly returnUrl: string;
}

async function offerPayment(deps: CardDeps, wanted: Wanted): Promise<CardSale> {
  const expected = await expectPayment(deps, wanted);
  if (expected.chargeId === null) return newPayment(deps, wanted, expected);
  const known = await deps.yookassa.payment(expected.chargeId);
  if (known.kind !== "ok") return { kind: "later" };
  await settleCardPayment(deps, known.value);
  if (known.value.status === "canceled") return newPayment(deps, wanted, await expectPayment(deps, wanted));
  return shown(known.value, wanted, expected.paymentId);
}

async function newPayment(deps: CardDeps, wanted: Wanted, expected: PaymentRef): Promise<CardSale> {
  const sent = await sendRequest(deps, expected);
  if (sent.kind === "unknown") return { kind: "later" };
  if (sent.kind === "refused")
    return {
      kind: "refused",
      code: sent.code === "recurring_not_allowed" ? sent.code : "provider_refused",
    };
  return shown(sent.payment, wanted, expected.paymentId);
}

function shown(payment: CardPayment, { saleId }: Wanted, paymentId: number): CardSale {
  const url = payment.confirmation?.confirmation_url;
  if (payment.status !== "pending" || url === undefined)
    return payment.status === "succeeded" ? { kind: "paid" } : { kind: "later" };
  return { kind: "pay", url, paymentId, saleId };
}

/** The expected payment and its request, in one transaction: a crash leaves both or neither. */
async function expectPayment(
  deps: CardDeps,
  { workspaceId, saleId, returnUrl }: Wanted,
): Promise<PaymentRef & { readonly chargeId: string | null }> {
  return deps.sql.begin(async (tx) => {
    const [row] = await tx<[{ id: number; charge_id: string | null }]>`
      select p.id, p.charge_id from billing.expect_payment(${workspaceId}, ${saleId}, ${deps.clock.now()}) p`;
    const ref = { workspaceId, paymentId: row.id };
    await prepareRequest(deps, tx, { ...ref, saleId, how: { returnUrl } });
    return { ...ref, chargeId: row.charge_id };
  });
}
