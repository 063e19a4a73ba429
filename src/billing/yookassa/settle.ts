import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type Recorded, recordPayment, recordRefund } from "../sales/record-payment.ts";
import { type CardDeps, noteTrouble, provider } from "./deps.ts";
import { payerOf } from "./payer.ts";
import type { CardPayment } from "./shapes.ts";

/** What a YooKassa object means here. `foreign`: another program's payment through the same shop. */
export type Settled = Recorded["outcome"] | "failed" | "pending" | "foreign" | "unknown";

const whole = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const addresseeShape = z.object({
  workspace_id: z.guid(),
  payment_id: whole,
  sale_id: whole,
  user_id: whole,
});
type Addressee = z.infer<typeof addresseeShape>;

/** Whose payment it is, from its metadata. */
export function addresseeOf(payment: CardPayment): Addressee | undefined {
  const read = addresseeShape.safeParse(payment.metadata);
  return read.success ? read.data : undefined;
}

/**
 * Updates the books to a payment's state at YooKassa. The object comes from its API, never from a notification. May be
 * called at any time, in any order, repeatedly: money is credited once and refunded once.
 */
export async function settleCardPayment(
  deps: Pick<CardDeps, "sql" | "clock" | "log">,
  payment: CardPayment,
): Promise<Settled> {
  const to = addresseeOf(payment);
  if (!to) return "foreign";
  if (!(await isHere(deps.sql, to.workspace_id))) {
    await noteTrouble(
      deps,
      "payment_unknown",
      `YooKassa has payment ${payment.id} of a workspace that is not here`,
    );
    return "unknown";
  }
  switch (payment.status) {
    case "succeeded":
      return credit(deps, payment, to);
    case "canceled":
      return (await fail(deps, payment, to)) ? "failed" : "repeated";
    case "pending":
    case "waiting_for_capture":
      return "pending";
  }
}

async function credit(
  { sql, clock }: Pick<CardDeps, "sql" | "clock">,
  payment: CardPayment,
  to: Addressee,
): Promise<Settled> {
  const now = clock.now();
  const { payment_method: paidBy, refunded_amount: refunded } = payment;
  return sql.begin(async (tx) => {
    const recorded = await recordPayment(
      tx,
      {
        workspaceId: to.workspace_id,
        provider,
        chargeId: payment.id,
        saleId: to.sale_id,
        paymentId: to.payment_id,
        userId: to.user_id,
        amount: payment.amount.value,
        currency: payment.amount.currency,
        payer: payerOf(paidBy),
        // YooKassa can only charge a method that it has really saved.
        methodId: paidBy?.saved ? paidBy.id : undefined,
      },
      now,
    );
    if (refunded && refunded.value > 0) {
      const gone = { workspaceId: to.workspace_id, paymentId: recorded.payment_id, refunded: refunded.value };
      await recordRefund(tx, gone, now);
    }
    return recorded.outcome;
  });
}

/** False if it had ended before. */
async function fail(
  { sql, clock }: Pick<CardDeps, "sql" | "clock">,
  payment: CardPayment,
  to: Addressee,
): Promise<boolean> {
  const reason = payment.cancellation_details?.reason ?? "canceled";
  return sql.begin(async (tx) => {
    const id = await ownPayment(tx, payment.id, to);
    if (id === undefined) return false;
    await tx`select billing.name_charge(${to.workspace_id}, ${id}, ${payment.id})`;
    return failPayment(tx, { workspaceId: to.workspace_id, paymentId: id }, reason, clock.now());
  });
}

/** False if it had ended before. */
export async function failPayment(
  sql: Sql | Transaction,
  { workspaceId, paymentId }: { readonly workspaceId: string; readonly paymentId: number },
  reason: string,
  now: Date,
): Promise<boolean> {
  const [row] = await sql<[{ failed: boolean }]>`
    select billing.fail_payment(${workspaceId}, ${paymentId}, ${reason}, ${now}) as failed`;
  return row.failed;
}

async function ownPayment(sql: Transaction, chargeId: string, to: Addressee): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`
    select p.id from billing.payments p
    where p.workspace_id = ${to.workspace_id} and p.provider = ${provider}
      and (p.charge_id = ${chargeId} or (p.charge_id is null and p.id = ${to.payment_id}))
    order by p.charge_id nulls last limit 1`;
  return row?.id;
}

async function isHere(sql: Sql, workspaceId: string): Promise<boolean> {
  const rows = await sql`select from workspaces.workspaces where workspace_id = ${workspaceId}`;
  return rows.length > 0;
}
