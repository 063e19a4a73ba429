import { billingProblem } from "../problems.ts";
import type { Reply } from "./client.ts";
import { type CardDeps, noteTrouble } from "./deps.ts";
import type { Notification } from "./notification.ts";
import { type Settled, settleCardPayment } from "./settle.ts";
import type { CardPayment } from "./shapes.ts";

/**
 * Handles a notification by fetching its object from the API: the body alone is never trusted. Throws the error answer
 * if YooKassa should send it again, or if it comes from a stranger.
 */
export async function takeNotification(
  deps: CardDeps,
  notification: Notification,
): Promise<Settled | "ignored"> {
  if (notification.kind === "other") return "ignored";
  const payment = await paymentOf(deps, notification);
  const settled = await settleCardPayment(deps, payment);
  if (settled === "foreign")
    deps.log.warn({ charge_id: payment.id }, "a payment through our shop that nobody here has asked for");
  return settled;
}

async function paymentOf(
  deps: CardDeps,
  notification: Exclude<Notification, { kind: "other" }>,
): Promise<CardPayment> {
  const { yookassa } = deps;
  if (notification.kind === "payment")
    return heard(deps, notification.paymentId, await yookassa.payment(notification.paymentId));
  const refund = await heard(deps, notification.refundId, await yookassa.refund(notification.refundId));
  return heard(deps, refund.payment_id, await yookassa.payment(refund.payment_id));
}

async function heard<T>(deps: CardDeps, id: string, reply: Reply<T>): Promise<T> {
  if (reply.kind === "ok") return reply.value;
  if (reply.kind === "refused" && reply.status === 404) {
    await noteTrouble(deps, "forged", `A notification names ${id}, which YooKassa does not know`);
    throw billingProblem("notification_forged", { detail: "YooKassa does not know what it names." });
  }
  if (reply.kind === "refused") await noteTrouble(deps, reply.code, `YooKassa refuses: ${reply.reason}`);
  throw billingProblem("provider_unheard", { detail: reply.reason });
}
