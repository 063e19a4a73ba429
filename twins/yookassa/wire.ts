import { amountOf } from "./amounts.ts";
import { lifetimes } from "./limits.ts";
import type { Method, Payment, Refund, Shop } from "./model.ts";
import type { Store } from "./store.ts";

const time = (at: number) => new Date(at).toISOString();

/** The path of the payment page. */
export const checkoutPath = (paymentId: string) =>
  `/yookassa/checkout/payments/v2/contract?orderId=${paymentId}`;

export function wirePayment(store: Store, baseUrl: string, payment: Payment) {
  const shop = store.shop(payment.shopId);
  const method = store.method(payment.methodId);
  const paid = payment.status === "succeeded" || payment.status === "waiting_for_capture";
  return {
    id: payment.id,
    status: payment.status,
    amount: amountOf(payment.amount),
    ...(payment.status === "succeeded" && { income_amount: amountOf(incomeOf(payment.amount)) }),
    ...(payment.description !== null && { description: payment.description }),
    recipient: { account_id: payment.shopId, gateway_id: gatewayOf(shop) },
    ...(payment.customer !== null && { merchant_customer_id: payment.customer }),
    ...(method && { payment_method: wireMethod(method) }),
    ...(payment.capturedAt !== null && { captured_at: time(payment.capturedAt) }),
    created_at: time(payment.createdAt),
    ...(payment.status === "waiting_for_capture" && {
      expires_at: time(payment.createdAt + lifetimes.captureMs),
    }),
    ...(payment.status === "pending" &&
      payment.returnUrl !== null && {
        confirmation: {
          type: "redirect",
          return_url: payment.returnUrl,
          confirmation_url: `${baseUrl}${checkoutPath(payment.id)}`,
        },
      }),
    test: shop?.test ?? false,
    ...(payment.status === "succeeded" && { refunded_amount: amountOf(payment.refunded) }),
    paid,
    refundable: payment.status === "succeeded" && payment.refunded < payment.amount,
    ...(payment.hasReceipt && {
      receipt_registration: payment.status === "canceled" ? "canceled" : paid ? "succeeded" : "pending",
    }),
    metadata: payment.metadata,
    ...(payment.cancellation && { cancellation_details: payment.cancellation }),
    ...(paid && {
      authorization_details: {
        rrn: rrnOf(payment),
        auth_code: "000000",
        three_d_secure: { applied: payment.returnUrl !== null },
      },
    }),
  };
}

export function wireMethod({ kind, id, saved, last4 }: Method) {
  const base = { type: kind, id, saved, status: saved ? "active" : "inactive" };
  switch (kind) {
    case "bank_card":
      return {
        ...base,
        title: `Bank card *${last4}`,
        card: {
          first6: "555555",
          last4,
          expiry_month: "12",
          expiry_year: "2030",
          card_type: "MasterCard",
          issuer_country: "RU",
        },
      };
    case "yoo_money":
      return {
        ...base,
        title: `YooMoney wallet *${last4}`,
        account_number: `41001${last4.padStart(11, "0")}`,
      };
    case "sbp":
      return { ...base, title: "SBP" };
  }
}

export function wireRefund(refund: Refund) {
  return {
    id: refund.id,
    payment_id: refund.paymentId,
    status: refund.status,
    created_at: time(refund.createdAt),
    amount: amountOf(refund.amount),
    ...(refund.description !== null && { description: refund.description }),
    ...(refund.cancellation && { cancellation_details: refund.cancellation }),
  };
}

/** The fee is 3.5 %. */
const incomeOf = (kopecks: number) => Math.round(kopecks * 0.965);
const gatewayOf = (shop: Shop | undefined) => String(Number(shop?.id ?? 0) + 200);
const rrnOf = ({ createdAt }: Payment) => String(createdAt).slice(-12);
