import { z } from "zod";
import { problem } from "../../http/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import { billingProblem } from "../problems.ts";
import type { PaymentProvider, Providers } from "../providers/provider.ts";
import { readPayment } from "./payments.ts";
import { recordRefund } from "./record-payment.ts";
import { type Payment, paymentSchema, type Subscription } from "./shape.ts";
import { changeSubscription, readSubscription } from "./subscriptions.ts";

export interface RefundDeps extends AdminDeps {
  readonly providers: Providers;
}

export const refundedSchema = z.object({
  payment: paymentSchema,
  balance: z.int().nullable().describe("The payer's tokens after it; below zero when they were spent"),
});

/**
 * An operator refunds money, all that is left unless an amount is given. Who and why is recorded in the audit trail
 * before the provider is asked; then the money is refunded, then the tokens are taken. After a crash in between it can
 * be repeated: nothing is refunded twice. Refunding the last period of a subscription ends it; a provider that charges by
 * itself is told to stop first, so that nobody is charged again after a refund.
 */
export async function refund(
  deps: RefundDeps,
  workspaceId: string,
  { paymentId, amount }: { readonly paymentId: number; readonly amount?: number | undefined },
  by: By & { readonly reason: string },
): Promise<z.infer<typeof refundedSchema>> {
  const { sql, clock, providers } = deps;
  const payment = await readPayment(sql, workspaceId, paymentId);
  const { charge_id: chargeId, currency } = payment;
  const left = rounded(payment.amount - payment.refunded);
  const now = amount ?? left;
  const paid = payment.status === "completed" || payment.status === "refunded" || payment.fault !== null;
  if (!paid || chargeId === null)
    throw billingProblem("payment_not_refundable", {
      detail: `Payment ${paymentId} is ${payment.status}: no money came.`,
    });
  if (left <= 0)
    throw billingProblem("payment_not_refundable", {
      detail: `All of payment ${paymentId} has gone back already.`,
    });
  if (now > left)
    throw problem("unprocessable", {
      detail: `Of payment ${paymentId}, ${left} ${currency} are left; ${now} cannot go back.`,
      errors: [{ pointer: "/amount", detail: `At most ${left}` }],
    });
  const provider = providers.get(payment.provider);
  if (!provider)
    throw billingProblem("provider_refused", { detail: `${payment.provider} is not set up here.` });
  await inOneChange(sql, (tx) =>
    noteChange(tx, {
      ...{ workspaceId, now: clock.now(), by },
      meta: {
        object: "billing_refund",
        payment_id: paymentId,
        user_id: payment.user_id,
        amount: now,
        currency,
      },
    }),
  );
  const refundedAfter = rounded(payment.refunded + now);
  const isWhole = refundedAfter === payment.amount;
  const stopped = isWhole ? await stopCharging(deps, workspaceId, payment, provider) : undefined;
  const answer = await provider.refund({
    ...{
      workspaceId,
      paymentId,
      chargeId,
      userId: payment.user_id,
      amount: now,
      refundedAfter,
      currency,
      isWhole,
    },
    seller: await sellerOf(deps, workspaceId, paymentId),
  });
  if (answer.kind !== "done" && stopped)
    await changeSubscription(sql, { workspaceId, id: stopped.id, status: "cancelled" }, clock.now());
  if (answer.kind === "refused") throw billingProblem("provider_refused", { detail: answer.reason });
  if (answer.kind === "unknown")
    throw billingProblem("provider_unheard", {
      detail: `${answer.reason}. Whether the money went back is not known; refund it again, nothing goes back twice.`,
    });
  await recordRefund(sql, { workspaceId, paymentId, refunded: refundedAfter }, clock.now());
  const [person] = await sql<{ balance: number | null }[]>`
    select billing.balance_of(${workspaceId}, ${payment.user_id}) as balance`;
  return { payment: await readPayment(sql, workspaceId, paymentId), balance: person?.balance ?? null };
}

/** 3000 - 257.47 is 2742.5299999999997. */
const rounded = (money: number) => Math.round(money * 100) / 100;

/** The subscription that its provider does not charge any more; undefined if the provider has nothing to stop. */
async function stopCharging(
  { sql }: RefundDeps,
  workspaceId: string,
  { id: paymentId, subscription: id, until }: Payment,
  provider: PaymentProvider,
): Promise<Subscription | undefined> {
  if (id === null || !provider.setRecurring) return undefined;
  const subscription = await readSubscription(sql, workspaceId, id);
  const { charge_id: chargeId, user_id: userId, seller, status, period_end } = subscription;
  const isLast = until !== null && until >= period_end;
  if (!isLast || status === "expired" || chargeId === null) return undefined;
  const answer = await provider.setRecurring({ workspaceId, seller, userId, chargeId }, false);
  if (answer.kind === "unknown")
    throw billingProblem("provider_unheard", {
      detail: `${answer.reason}. Subscription ${id} could not be stopped, so payment ${paymentId} was not refunded; try again.`,
    });
  // What the provider refuses to stop has ended there already.
  return answer.kind === "done" ? subscription : undefined;
}

/**
 * The seller's account at the provider that received the money. Money without a sale came through the only one, if any.
 */
async function sellerOf({ sql }: RefundDeps, workspaceId: string, paymentId: number): Promise<string | null> {
  const [row] = await sql<{ seller: string }[]>`
    select s.seller from billing.payments p join billing.sales s
      on s.workspace_id = p.workspace_id and (s.id = p.sale_id or (p.sale_id is null and s.provider = p.provider))
    where p.workspace_id = ${workspaceId} and p.id = ${paymentId}
    order by s.id desc limit 1`;
  return row?.seller ?? null;
}
