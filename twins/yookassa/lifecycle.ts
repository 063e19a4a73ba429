import { lifetimes } from "./limits.ts";
import type { Method, MethodKind, Payment, Refund } from "./model.ts";
import { tellOfShop } from "./places.ts";
import { cancellation } from "./reasons.ts";
import type { YooKassa } from "./twin.ts";
import { wirePayment, wireRefund } from "./wire.ts";

/** The steps of a payment, each with its notification. An ended payment does not change. */

/** A person pays on the page. The method is saved if the shop requested it and may. */
export function pay(yookassa: YooKassa, payment: Payment, with_: { kind: MethodKind; last4: string }): void {
  if (payment.status !== "pending") return;
  const { store } = yookassa;
  const mayKeep = payment.save && store.shop(payment.shopId)?.recurring === true;
  const method: Method = {
    // YooKassa gives a method the id of the payment that it was first used for.
    id: payment.id,
    shopId: payment.shopId,
    ...with_,
    saved: mayKeep,
    declines: null,
    pending: false,
  };
  store.world.methods.push(method);
  payment.methodId = method.id;
  accept(yookassa, payment);
}

/** The money has arrived: it is captured at once, or waits for the shop to capture it. */
export function accept(yookassa: YooKassa, payment: Payment): void {
  if (payment.status !== "pending") return;
  payment.paidAt = yookassa.store.now();
  if (payment.capture) {
    capture(yookassa, payment, payment.amount);
  } else {
    payment.status = "waiting_for_capture";
    told(yookassa, payment, "payment.waiting_for_capture");
  }
}

/** The shop captures the money, or a part of it; the rest is returned. */
export function capture(yookassa: YooKassa, payment: Payment, amount: number): void {
  payment.status = "succeeded";
  payment.amount = amount;
  payment.capturedAt = yookassa.store.now();
  told(yookassa, payment, "payment.succeeded");
}

export function cancel(yookassa: YooKassa, payment: Payment, reason: string): void {
  if (payment.status !== "pending" && payment.status !== "waiting_for_capture") return;
  payment.status = "canceled";
  payment.cancellation = cancellation(reason);
  told(yookassa, payment, "payment.canceled");
}

export function giveBack(yookassa: YooKassa, refund: Refund): void {
  const payment = yookassa.store.payment(refund.paymentId);
  if (!payment) return;
  refund.status = "succeeded";
  payment.refunded += refund.amount;
  yookassa.store.changed();
  yookassa.notifications.tell(refund.shopId, "refund.succeeded", refund.id, wireRefund(refund));
  tellOfShop(yookassa, refund.shopId);
}

/** Ends expired payments. */
export function expire(yookassa: YooKassa): void {
  const { store } = yookassa;
  const now = store.now();
  for (const payment of store.world.payments) {
    const age = now - payment.createdAt;
    if (payment.status === "pending" && payment.returnUrl !== null && age >= lifetimes.confirmationMs)
      cancel(yookassa, payment, "expired_on_confirmation");
    if (payment.status === "waiting_for_capture" && age >= lifetimes.captureMs)
      cancel(yookassa, payment, "expired_on_capture");
  }
}

function told(
  yookassa: YooKassa,
  payment: Payment,
  event: "payment.waiting_for_capture" | "payment.succeeded" | "payment.canceled",
): void {
  const { store, context, notifications } = yookassa;
  store.changed();
  notifications.tell(payment.shopId, event, payment.id, wirePayment(store, context.options.baseUrl, payment));
  tellOfShop(yookassa, payment.shopId);
}
