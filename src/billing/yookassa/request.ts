import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { readSale, type Sale } from "../sales/sale.ts";
import type { KeyedRequest } from "./client.ts";
import { type Contact, contactOf } from "./contact.ts";
import type { CardDeps, PaymentRef } from "./deps.ts";
import { receiptOf } from "./receipt.ts";
import { sum } from "./shapes.ts";
import { nameOf } from "./texts.ts";

export interface PaymentBodyParts {
  readonly workspaceId: string;
  readonly paymentId: number;
  readonly sale: Sale;
  readonly contact: Contact | undefined;
  /** The person confirms on YooKassa's page and returns here, or a saved method is charged without them. */
  readonly how: { readonly returnUrl: string } | { readonly methodId: string };
}

/** The body of a payment request. `metadata` connects a notification with our payment. */
export function paymentBody(
  { receipts, language }: Pick<CardDeps, "receipts" | "language">,
  { workspaceId, paymentId, sale, contact, how }: PaymentBodyParts,
) {
  const name = nameOf(sale, language);
  const isRenewal = "methodId" in how;
  return {
    amount: sum(sale.amount),
    capture: true,
    ...(isRenewal
      ? { payment_method_id: how.methodId }
      : {
          confirmation: { type: "redirect", return_url: how.returnUrl },
          ...(sale.recurring && { save_payment_method: true }),
        }),
    description: name,
    merchant_customer_id: `${workspaceId}/${sale.user_id}`,
    metadata: {
      workspace_id: workspaceId,
      payment_id: String(paymentId),
      sale_id: String(sale.id),
      user_id: String(sale.user_id),
      package_name: sale.package,
      tokens_amount: String(sale.tokens),
      ...(sale.recurring && { is_subscription: "true" }),
      ...(isRenewal && { is_renewal: "true" }),
    },
    ...(receipts && contact && { receipt: receiptOf(receipts, { contact, name, amount: sale.amount }) }),
  };
}

/** Stores the body and the key of a request, or returns those that were stored before. */
export async function keepRequest(
  sql: Sql | Transaction,
  { workspaceId, paymentId, purpose, body }: PaymentRef & { readonly purpose: string; readonly body: object },
  now: Date,
): Promise<KeyedRequest> {
  const [row] = await sql<[KeyedRequest]>`
    select r.key, r.body
    from billing.keep_request(${workspaceId}, ${purpose}, ${paymentId}, ${JSON.stringify(body)}, ${now}) r`;
  return row;
}

export const paymentPurpose = (paymentId: number) => `payment/${paymentId}`;

export interface KeptRequest extends KeyedRequest {
  readonly created_at: Date;
}

export async function keptRequest(
  sql: Sql,
  { workspaceId, paymentId }: PaymentRef,
): Promise<KeptRequest | undefined> {
  const [row] = await sql<KeptRequest[]>`
    select key, body, created_at from billing.yookassa_requests
    where workspace_id = ${workspaceId} and purpose = ${paymentPurpose(paymentId)}`;
  return row;
}

/** Stores the request of a payment, within the transaction that expects it. */
export async function prepareRequest(
  deps: Pick<CardDeps, "receipts" | "language" | "clock">,
  tx: Transaction,
  { workspaceId, paymentId, saleId, how }: PaymentRef & { saleId: number; how: PaymentBodyParts["how"] },
): Promise<void> {
  const sale = await readSale(tx, workspaceId, saleId);
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  const contact = await contactOf(tx, { workspaceId, userId: sale.user_id });
  const body = paymentBody(deps, { workspaceId, paymentId, sale, contact, how });
  const purpose = paymentPurpose(paymentId);
  await keepRequest(tx, { workspaceId, paymentId, purpose, body }, deps.clock.now());
}
