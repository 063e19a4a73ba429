import type {
  PaymentProvider,
  ProviderAnswer,
  ProviderPayment,
  RefundRequest,
} from "../providers/provider.ts";
import { readSale } from "../sales/sale.ts";
import { contactOf } from "./contact.ts";
import { type CardDeps, provider } from "./deps.ts";
import { receiptOf } from "./receipt.ts";
import { keepRequest } from "./request.ts";
import { tellOfRefusal } from "./send-request.ts";
import { addresseeOf } from "./settle.ts";
import { type CardPayment, sum } from "./shapes.ts";
import { nameOf } from "./texts.ts";

/** YooKassa as a provider of billing. Cancelling a subscription needs no call: we charge, or we do not. */
export function cardProvider(deps: CardDeps): PaymentProvider {
  return {
    name: provider,
    refund: (request) => refund(deps, request),
    payments: (workspaceId, _sellers, since) => succeeded(deps, workspaceId, since),
  };
}

/**
 * Checks first what was refunded already: after a lost answer the same request refunds nothing again, however late it
 * is repeated.
 */
async function refund(deps: CardDeps, request: RefundRequest): Promise<ProviderAnswer> {
  const { sql, clock, yookassa } = deps;
  const { workspaceId, paymentId, chargeId, amount, refundedAfter } = request;
  const [payment, known] = [await yookassa.payment(chargeId), await yookassa.refundsOf(chargeId)];
  if (payment.kind === "refused") return { kind: "refused", reason: payment.reason };
  if (payment.kind !== "ok" || known.kind !== "ok")
    return { kind: "unknown", reason: "YooKassa does not answer" };
  if ((payment.value.refunded_amount?.value ?? 0) >= refundedAfter) return { kind: "done" };
  if (known.value.items.some(({ status }) => status === "pending")) return underWay;
  const body = {
    payment_id: chargeId,
    amount: sum(amount),
    ...(await receiptFor(deps, request)),
  };
  // A refund that YooKassa has cancelled is requested anew, so its number is part of the purpose.
  const purpose = `refund/${paymentId}/${refundedAfter.toFixed(2)}/${known.value.items.length}`;
  const asked = await keepRequest(sql, { workspaceId, paymentId, purpose, body }, clock.now());
  const made = await yookassa.createRefund(asked);
  if (made.kind === "trouble") return { kind: "unknown", reason: made.reason };
  if (made.kind === "refused") {
    await tellOfRefusal(deps, made);
    return { kind: "refused", reason: made.reason };
  }
  switch (made.value.status) {
    case "succeeded":
      return { kind: "done" };
    case "pending":
      return underWay;
    case "canceled":
      return {
        kind: "refused",
        reason: `YooKassa gave nothing back: ${made.value.cancellation_details?.reason ?? "no reason given"}`,
      };
  }
}

const underWay: ProviderAnswer = { kind: "unknown", reason: "YooKassa is still giving the money back" };

async function receiptFor({ sql, receipts, language }: CardDeps, request: RefundRequest) {
  const { workspaceId, userId, amount, paymentId } = request;
  const contact = receipts && (await contactOf(sql, { workspaceId, userId }));
  if (!receipts || !contact) return {};
  const [row] = await sql<{ sale_id: number | null }[]>`
    select sale_id from billing.payments where workspace_id = ${workspaceId} and id = ${paymentId}`;
  const sale = row?.sale_id == null ? undefined : await readSale(sql, workspaceId, row.sale_id);
  return sale ? { receipt: receiptOf(receipts, { contact, name: nameOf(sale, language), amount }) } : {};
}

async function succeeded(
  { yookassa }: CardDeps,
  workspaceId: string,
  since: Date,
): Promise<readonly ProviderPayment[] | { readonly trouble: string }> {
  const found: ProviderPayment[] = [];
  let cursor: string | undefined;
  do {
    const page = await yookassa.payments({ since, status: "succeeded", cursor });
    if (page.kind !== "ok") return { trouble: page.reason };
    found.push(
      ...page.value.items.filter((each) => addresseeOf(each)?.workspace_id === workspaceId).map(asKnown),
    );
    cursor = page.value.next_cursor;
  } while (cursor !== undefined);
  return found;
}

const asKnown = ({ id, amount, refunded_amount, created_at }: CardPayment): ProviderPayment => ({
  chargeId: id,
  amount: amount.value,
  currency: amount.currency,
  refunded: refunded_amount?.value ?? 0,
  at: created_at,
});
