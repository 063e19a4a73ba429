import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type Page, type PageQuery, pageLimit, pageOf, placeAfter } from "../../workspaces/index.ts";
import type { Payment } from "./shape.ts";

export interface PaymentQuery extends PageQuery {
  readonly status?: Payment["status"] | undefined;
  readonly provider?: string | undefined;
  readonly user_id?: number | undefined;
  /** Only payments that arrived and were not credited. */
  readonly faulty?: boolean | undefined;
}

/** The newest first. */
export async function paymentPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, status, provider, user_id, faulty = false }: PaymentQuery,
): Promise<Page<Payment>> {
  const [from] = placeAfter(after, z.tuple([z.int()])) ?? [];
  const rows = await sql<Payment[]>`
    select ${columns(sql)} from billing.payments p
    where p.workspace_id = ${workspaceId}
      ${status ? sql`and p.status = ${status}` : sql``}
      ${provider === undefined ? sql`` : sql`and p.provider = ${provider}`}
      ${user_id === undefined ? sql`` : sql`and p.user_id = ${user_id}`}
      ${faulty ? sql`and p.fault is not null` : sql``}
      ${from === undefined ? sql`` : sql`and p.id < ${from}`}
    order by p.id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

export async function readPayment(
  sql: Sql | Transaction,
  workspaceId: string,
  paymentId: number,
): Promise<Payment> {
  const [payment] = await sql<Payment[]>`
    select ${columns(sql)} from billing.payments p where p.workspace_id = ${workspaceId} and p.id = ${paymentId}`;
  if (!payment) throw problem("not_found", { detail: `There is no payment ${paymentId} here.` });
  return payment;
}

/** A payment by the provider's id of the charge. */
export async function paymentOfCharge(
  sql: Sql | Transaction,
  workspaceId: string,
  { provider, chargeId }: { readonly provider: string; readonly chargeId: string },
): Promise<Payment | undefined> {
  const [payment] = await sql<Payment[]>`
    select ${columns(sql)} from billing.payments p
    where p.workspace_id = ${workspaceId} and p.provider = ${provider} and p.charge_id = ${chargeId}`;
  return payment;
}

/** Until when somebody has paid for what a product sells by time; undefined when for nothing. */
export async function paidUntil(
  sql: Sql | Transaction,
  { workspaceId, userId, product }: { workspaceId: string; userId: number; product: string },
): Promise<Date | undefined> {
  const [row] = await sql<[{ until: Date | null }]>`
    select billing.paid_until(${workspaceId}, ${userId}, ${product}) as until`;
  return row.until ?? undefined;
}

const columns = (sql: Sql | Transaction) => sql`
  p.id, p.user_id, p.provider, p.product, p.package_name as package, p.status, p.amount::float8, p.currency, p.tokens_amount as tokens,
  p.charge_id, p.fault, p.reason, p.refunded::float8, p.refunded_tokens, p.referrer_id, p.referral_tokens, p.subscription,
  p.subscription_expires_at as until, p.created_at, p.completed_at`;
