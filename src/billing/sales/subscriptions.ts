import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type Page, type PageQuery, pageLimit, pageOf, placeAfter } from "../../workspaces/index.ts";
import type { ProviderAnswer, Providers } from "../providers/provider.ts";
import type { Subscription } from "./shape.ts";

export interface SubscriptionQuery extends PageQuery {
  readonly status?: Subscription["status"] | undefined;
  readonly user_id?: number | undefined;
}

/** The newest first. */
export async function subscriptionPage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after, status, user_id }: SubscriptionQuery,
): Promise<Page<Subscription>> {
  const [from] = placeAfter(after, z.tuple([z.int()])) ?? [];
  const rows = await sql<Subscription[]>`
    ${selected(sql)}
    where s.workspace_id = ${workspaceId}
      ${status ? sql`and s.status = ${status}` : sql``}
      ${user_id === undefined ? sql`` : sql`and s.user_id = ${user_id}`}
      ${from === undefined ? sql`` : sql`and s.id < ${from}`}
    order by s.id desc
    limit ${limit + 1}`;
  return pageOf(rows, limit, ({ id }) => [id]);
}

export async function readSubscription(
  sql: Sql | Transaction,
  workspaceId: string,
  id: number,
): Promise<Subscription> {
  const [found] = await sql<Subscription[]>`
    ${selected(sql)} where s.workspace_id = ${workspaceId} and s.id = ${id}`;
  if (!found) throw problem("not_found", { detail: `There is no subscription ${id} here.` });
  return found;
}

/** The person's current subscription: active before inactive ones, the newest first. */
export async function subscriptionOf(
  sql: Sql | Transaction,
  { workspaceId, userId, product }: { workspaceId: string; userId: number; product: string },
): Promise<Subscription | undefined> {
  const [found] = await sql<Subscription[]>`
    ${selected(sql)}
    where s.workspace_id = ${workspaceId} and s.user_id = ${userId} and s.product = ${product} and s.status <> 'expired'
    order by array_position(array['active', 'paused', 'cancelled'], s.status), s.id desc
    limit 1`;
  return found;
}

/** A subscription by the sale it began with. */
export async function subscriptionOfSale(
  sql: Sql | Transaction,
  workspaceId: string,
  saleId: number,
): Promise<Subscription | undefined> {
  const [found] = await sql<Subscription[]>`
    ${selected(sql)} where s.workspace_id = ${workspaceId} and s.sale_id = ${saleId}`;
  return found;
}

const selected = (sql: Sql | Transaction) => sql`
  select s.id, s.user_id, s.product, s.provider, a.seller, a.package_name as package, s.status, a.amount::float8, a.currency, a.tokens,
    s.period_end, s.renewals, s.charge_id, s.created_at
  from billing.subscriptions s join billing.sales a on a.workspace_id = s.workspace_id and a.id = s.sale_id`;

/** Records a subscription's new state; its product is told. False if nothing changed. */
export async function changeSubscription(
  sql: Sql | Transaction,
  { workspaceId, id, status }: { workspaceId: string; id: number; status: Subscription["status"] },
  now: Date,
): Promise<boolean> {
  const [row] = await sql<[{ changed: boolean }]>`
    select billing.change_subscription(${workspaceId}, ${id}, ${status}, ${now}) as changed`;
  return row.changed;
}

export interface RecurringDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly providers: Providers;
}

/**
 * Cancels a subscription at the end of the paid period, or resumes it: first at the provider, then here. A repeat
 * changes nothing.
 */
export async function setRecurring(
  { sql, clock, providers }: RecurringDeps,
  workspaceId: string,
  subscription: Subscription,
  on: boolean,
): Promise<ProviderAnswer> {
  if (subscription.status === "expired")
    return { kind: "refused", reason: "The subscription has ended; a new one has to be bought." };
  const provider = providers.get(subscription.provider);
  if (!provider) return { kind: "refused", reason: `${subscription.provider} is not set up here.` };
  const { charge_id: chargeId, user_id: userId, seller, id } = subscription;
  if (provider.setRecurring && chargeId !== null) {
    const answer = await provider.setRecurring({ workspaceId, seller, userId, chargeId }, on);
    if (answer.kind !== "done") return answer;
  }
  await changeSubscription(sql, { workspaceId, id, status: on ? "active" : "cancelled" }, clock.now());
  return { kind: "done" };
}

/** Ends or pauses overdue subscriptions; the product of each is told. */
export async function reviewSubscriptions(sql: Sql, now: Date): Promise<number> {
  const [row] = await sql<[{ count: number }]>`select billing.review_subscriptions(p_now => ${now}) as count`;
  return row.count;
}
