import { z } from "zod";
import { amountField, amountOf } from "./amounts.ts";
import { refuse } from "./errors.ts";
import { giveBack } from "./lifecycle.ts";
import type { Refund, Shop } from "./model.ts";
import { createdAt, paged, pageFields, read, timeFields } from "./read.ts";
import { checkReceipt, receiptField } from "./receipts.ts";
import type { Call, Reply, YooKassa } from "./twin.ts";
import { wireRefund } from "./wire.ts";

const refundBody = z.strictObject({
  payment_id: z.string(),
  amount: amountField,
  description: z.string().max(250).optional(),
  receipt: receiptField.optional(),
});

const listQuery = z.strictObject({
  payment_id: z.string().optional(),
  status: z.enum(["pending", "succeeded", "canceled"]).optional(),
  ...timeFields,
  ...pageFields,
});

export function createRefund(yookassa: YooKassa, { shop, body }: Call): Reply {
  const fields = read(refundBody, body);
  checkReceipt(fields.receipt, { fiscal: shop.fiscal, amount: fields.amount.value });
  const refund = refundOf(yookassa, shop, {
    paymentId: fields.payment_id,
    amount: fields.amount.value,
    description: fields.description ?? null,
  });
  return { body: wireRefund(refund), created: [refund.id] };
}

/** Pending refunds count as refunded, so that they cannot be requested twice. */
export function refundOf(
  yookassa: YooKassa,
  shop: Shop,
  { paymentId, amount, description }: { paymentId: string; amount: number; description: string | null },
): Refund {
  const { store } = yookassa;
  const payment = store.payment(paymentId);
  if (payment?.shopId !== shop.id) throw refuse.invalid("Payment is not found", "payment_id");
  if (payment.status !== "succeeded")
    throw refuse.invalid(`Payment in status ${payment.status} can't be refunded`, "payment_id");
  const onTheWay = store
    .refundsOf(shop.id)
    .filter((each) => each.paymentId === paymentId && each.status === "pending")
    .reduce((sum, each) => sum + each.amount, 0);
  const left = payment.amount - payment.refunded - onTheWay;
  if (amount > left) throw refuse.invalid(`Only ${amountOf(left).value} can be refunded`, "amount.value");
  const refund: Refund = {
    id: store.newId(),
    shopId: shop.id,
    paymentId,
    status: "pending",
    amount,
    description,
    createdAt: store.now(),
    cancellation: null,
  };
  store.world.refunds.push(refund);
  settleRefund(yookassa, refund, shop.refunds);
  return refund;
}

export function settleRefund(yookassa: YooKassa, refund: Refund, outcome: Shop["refunds"]): void {
  if (refund.status !== "pending") return;
  if (outcome === "succeeded") giveBack(yookassa, refund);
  if (outcome === "canceled") {
    refund.status = "canceled";
    refund.cancellation = { party: "yoo_money", reason: "insufficient_funds" };
  }
  yookassa.store.changed();
}

export function getRefund({ store }: YooKassa, { shop, params }: Call): Reply {
  const refund = store.refund(params.id);
  if (refund?.shopId !== shop.id) throw refuse.missing("Refund");
  return { body: wireRefund(refund) };
}

export function listRefunds({ store }: YooKassa, { shop, query }: Call): Reply {
  const { payment_id, status, limit, cursor, ...times } = read(listQuery, query);
  const fitting = store
    .refundsOf(shop.id)
    .filter(
      (refund) =>
        (payment_id === undefined || refund.paymentId === payment_id) &&
        (status === undefined || refund.status === status) &&
        createdAt(refund, times),
    );
  const { items, more } = paged(fitting, { limit, cursor });
  return { body: { type: "list", items: items.map(wireRefund), ...more } };
}
