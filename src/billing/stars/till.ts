/** Records Telegram's updates about Stars. Implements the `till` of a bot of src/dialogs. */
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { PaymentProvider } from "../providers/provider.ts";
import type { Shop } from "../sales/offer.ts";
import { paymentOfCharge } from "../sales/payments.ts";
import { recordPayment, recordRefund } from "../sales/record-payment.ts";
import { refusalToPay } from "../sales/sale.ts";
import type { Subscription } from "../sales/shape.ts";
import { changeSubscription, readSubscription, subscriptionOfSale } from "../sales/subscriptions.ts";
import { readPayload } from "./payload.ts";
import { refusalTexts } from "./texts.ts";

export interface TillDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly shop: Shop;
  /** Telegram, to stop a subscription whose payment was refunded by somebody else. */
  readonly telegram: Pick<PaymentProvider, "setRecurring">;
}

interface Paid {
  readonly userId: number;
  readonly amount: number;
  readonly currency: string;
  readonly payload: string;
  readonly chargeId: string;
}

export const provider = "stars";
const day = 86_400_000;
const becomes = { canceled: "cancelled", active: "active", failed: "paused" } as const;

export function starsTill({ sql, clock, log, shop, telegram }: TillDeps) {
  async function paid(
    workspaceId: string,
    payment: Paid & {
      readonly providerChargeId?: string | undefined;
      readonly expiresAt?: Date | undefined;
      readonly isFirst?: boolean | undefined;
    },
  ): Promise<void> {
    const { payload, userId, ...charge } = payment;
    const saleId = readPayload(payload)?.saleId ?? null;
    const recorded = await recordPayment(
      sql,
      { ...charge, workspaceId, provider, saleId, userId, payer: String(userId) },
      clock.now(),
    );
    log.info({ ...recorded, charge: charge.chargeId }, "a payment in Stars");
  }

  /** Telegram would charge the person again. If it does not answer, operators are told. */
  async function stopCharging(workspaceId: string, subscription: Subscription): Promise<void> {
    const { id, charge_id: chargeId, user_id: userId, seller } = subscription;
    if (!telegram.setRecurring || chargeId === null) return;
    const answer = await telegram.setRecurring({ workspaceId, seller, userId, chargeId }, false);
    if (answer.kind !== "unknown") return;
    const message = `Subscription ${id} was refunded and could not be stopped: ${answer.reason}`;
    log.warn({ subscription: id }, message);
    await sql`
      select billing.note_payment_trouble(${provider}, 'subscription_not_stopped', ${message}, ${clock.now()})`;
  }

  return {
    async check(
      workspaceId: string,
      query: Omit<Paid, "chargeId"> & { readonly language: "ru" | "en" },
    ): Promise<string | undefined> {
      const { userId, amount, currency, language } = query;
      const payload = readPayload(query.payload);
      const texts = refusalTexts[language];
      if (!payload) return texts.sale_unknown;
      if (payload.userId !== userId) return texts.user_differs;
      const sale = { workspaceId, saleId: payload.saleId, userId, amount, currency };
      const refusal = await refusalToPay(sql, shop, sale, clock.now());
      return refusal && texts[refusal];
    },
    paid,
    async refunded(workspaceId: string, payment: Paid): Promise<void> {
      const { chargeId, amount } = payment;
      const known = () => paymentOfCharge(sql, workspaceId, { provider, chargeId });
      // The payment's own update may come later: a refund proves that it was paid.
      if (!(await known())) await paid(workspaceId, payment);
      const found = await known();
      if (!found) return;
      const subscription = () =>
        found.subscription === null ? undefined : readSubscription(sql, workspaceId, found.subscription);
      const before = await subscription();
      await recordRefund(sql, { workspaceId, paymentId: found.id, refunded: amount }, clock.now());
      if (before && before.status !== "expired" && (await subscription())?.status === "expired")
        await stopCharging(workspaceId, before);
    },
    async subscription(
      workspaceId: string,
      change: { readonly userId: number; readonly payload: string; readonly state: keyof typeof becomes },
    ): Promise<void> {
      const payload = readPayload(change.payload);
      const found = payload && (await subscriptionOfSale(sql, workspaceId, payload.saleId));
      if (!found || found.user_id !== change.userId) return;
      const now = clock.now();
      // A failure that arrives after the renewal which followed it.
      if (change.state === "failed" && found.period_end.getTime() - now.getTime() > day) return;
      await changeSubscription(sql, { workspaceId, id: found.id, status: becomes[change.state] }, now);
    },
  };
}
