import type { Reply } from "./client.ts";
import { type CardDeps, noteTrouble, type PaymentRef } from "./deps.ts";
import { keptRequest } from "./request.ts";
import { failPayment, settleCardPayment } from "./settle.ts";
import type { CardPayment } from "./shapes.ts";

/** `unknown`: the outcome is unknown; the payment is looked up, and requested again with the same key. */
export type Sent =
  | { readonly kind: "made"; readonly payment: CardPayment }
  | { readonly kind: "refused"; readonly code: string; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };

/** Sends a stored payment request to YooKassa, and records the answer. A repeat creates no second payment. */
export async function sendRequest(deps: CardDeps, ref: PaymentRef): Promise<Sent> {
  const request = await keptRequest(deps.sql, ref);
  if (!request) throw new Error(`payment ${ref.paymentId} has no request`);
  const reply = await deps.yookassa.createPayment(request);
  return reply.kind === "ok" ? made(deps, ref, reply.value) : notMade(deps, ref, reply);
}

async function made(
  deps: CardDeps,
  { workspaceId, paymentId }: PaymentRef,
  payment: CardPayment,
): Promise<Sent> {
  await deps.sql`select billing.name_charge(${workspaceId}, ${paymentId}, ${payment.id})`;
  await settleCardPayment(deps, payment);
  return { kind: "made", payment };
}

async function notMade(
  deps: CardDeps,
  ref: PaymentRef,
  reply: Exclude<Reply<CardPayment>, { kind: "ok" }>,
): Promise<Sent> {
  if (reply.kind === "trouble") return { kind: "unknown", reason: reply.reason };
  await tellOfRefusal(deps, reply);
  // It can still succeed with another key of the shop: the operator is told, and nobody was charged.
  if (reply.status === 401) return { kind: "unknown", reason: reply.reason };
  const code = reply.status === 403 ? "recurring_not_allowed" : reply.code;
  await failPayment(deps.sql, ref, code, deps.clock.now());
  return { kind: "refused", code, reason: reply.reason };
}

/** If YooKassa refuses our request, the configuration is wrong: operators are told. */
export async function tellOfRefusal(
  deps: CardDeps,
  reply: Extract<Reply<unknown>, { kind: "refused" }>,
): Promise<void> {
  await noteTrouble(deps, reply.code, `YooKassa refuses: ${reply.reason}`);
}
