import type { Sql, Transaction } from "../../kernel/db/index.ts";

/** A payment that a provider reports. */
export interface Charge {
  readonly workspaceId: string;
  readonly provider: string;
  /** The provider's id of the charge: each is credited once. */
  readonly chargeId: string;
  /** Null if the payment names no sale. */
  readonly saleId: number | null;
  readonly userId: number;
  readonly amount: number;
  readonly currency: string;
  /** The expected payment, for providers that are asked for one first. */
  readonly paymentId?: number | undefined;
  /** The provider's id of the payer's payment method: a method gets no referral bonus from itself. */
  readonly payer?: string | undefined;
  readonly methodId?: string | undefined;
  readonly providerChargeId?: string | undefined;
  /** When the paid period ends, if the provider counts periods itself. */
  readonly expiresAt?: Date | undefined;
  /** Whether it is the first charge of a subscription, if the provider tells. */
  readonly isFirst?: boolean | undefined;
}

export interface Recorded {
  readonly payment_id: number;
  /** The last three: the money does not match its sale; nothing was credited and operators are told. */
  readonly outcome: "credited" | "renewed" | "repeated" | "sale_unknown" | "user_differs" | "amount_differs";
  readonly balance: number | null;
}

/** May be called for the same charge at any time, from anywhere, in any order. */
export async function recordPayment(sql: Sql | Transaction, charge: Charge, now: Date): Promise<Recorded> {
  const [row] = await sql<[Recorded]>`
    select r.payment_id, r.outcome, r.balance from billing.record_payment(
      ${charge.workspaceId}, ${charge.provider}, ${charge.chargeId}, ${charge.saleId}, ${charge.userId}, ${charge.amount},
      ${charge.currency}, p_payment_id => ${charge.paymentId ?? null}, p_payer => ${charge.payer ?? null},
      p_method_id => ${charge.methodId ?? null}, p_provider_charge_id => ${charge.providerChargeId ?? null},
      p_expires_at => ${charge.expiresAt ?? null}, p_is_first => ${charge.isFirst ?? null}, p_now => ${now}) r`;
  return row;
}

/** The total refunded of a payment so far. */
export async function recordRefund(
  sql: Sql | Transaction,
  { workspaceId, paymentId, refunded }: { workspaceId: string; paymentId: number; refunded: number },
  now: Date,
): Promise<void> {
  await sql`select billing.refund_payment(${workspaceId}, ${paymentId}, ${refunded}, ${now})`;
}
