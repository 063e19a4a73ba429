/** The payment in a Telegram update; undefined if there is none. */
import { z } from "zod";

const user = z.object({ id: z.number(), language_code: z.string().optional() });
const charge = {
  currency: z.string(),
  total_amount: z.number(),
  invoice_payload: z.string(),
  telegram_payment_charge_id: z.string().min(1),
};
const shape = z.object({
  update_id: z.number().int(),
  pre_checkout_query: z
    .object({
      ...{ id: z.string(), from: user, currency: z.string() },
      ...{ total_amount: z.number(), invoice_payload: z.string() },
    })
    .optional(),
  message: z
    .object({
      from: user.optional(),
      chat: z.object({ id: z.number() }),
      successful_payment: z
        .object({
          ...charge,
          provider_payment_charge_id: z.string().optional(),
          subscription_expiration_date: z.number().optional(),
          is_recurring: z.boolean().optional(),
          is_first_recurring: z.boolean().optional(),
        })
        .optional(),
      refunded_payment: z.object(charge).optional(),
    })
    .optional(),
  subscription: z
    .object({ user, invoice_payload: z.string(), state: z.enum(["canceled", "active", "failed"]) })
    .optional(),
});

/** A pre-checkout query: Telegram waits ten seconds for the bot's answer. */
export interface CheckoutQuery {
  readonly kind: "checkout";
  readonly queryId: string;
  readonly userId: number;
  readonly language: "ru" | "en";
  readonly amount: number;
  readonly currency: string;
  readonly payload: string;
}

export interface ReceivedPayment {
  readonly kind: "paid";
  readonly userId: number;
  readonly amount: number;
  readonly currency: string;
  readonly payload: string;
  readonly chargeId: string;
  readonly providerChargeId?: string | undefined;
  /** Of a subscription: when the paid period ends, and whether it is the first charge. */
  readonly expiresAt?: Date | undefined;
  readonly isFirst?: boolean | undefined;
}

export interface ReturnedPayment {
  readonly kind: "refunded";
  readonly userId: number;
  readonly amount: number;
  readonly currency: string;
  readonly payload: string;
  readonly chargeId: string;
}

/** The person cancelled or resumed a subscription in Telegram itself, or had too few Stars for it. */
export interface SubscriptionChange {
  readonly kind: "subscription";
  readonly userId: number;
  readonly payload: string;
  readonly state: "canceled" | "active" | "failed";
}

export type MoneyUpdate = CheckoutQuery | ReceivedPayment | ReturnedPayment | SubscriptionChange;

export function readMoneyUpdate(
  raw: unknown,
  languageOf: (code: string | undefined) => "ru" | "en",
): MoneyUpdate | undefined {
  const read = shape.safeParse(raw);
  if (!read.success) return undefined;
  const { pre_checkout_query: query, message, subscription } = read.data;
  if (query) {
    const { id: queryId, from, currency, total_amount: amount, invoice_payload: payload } = query;
    const language = languageOf(from.language_code);
    return { kind: "checkout", queryId, userId: from.id, language, currency, amount, payload };
  }
  // In a private chat the chat id is the person's id.
  const userId = message?.from?.id ?? message?.chat.id;
  if (message?.successful_payment && userId !== undefined) {
    const paid = message.successful_payment;
    const isOfSubscription = paid.is_recurring || paid.is_first_recurring;
    return {
      ...{ kind: "paid", userId, amount: paid.total_amount, currency: paid.currency },
      ...{ payload: paid.invoice_payload, chargeId: paid.telegram_payment_charge_id },
      providerChargeId: paid.provider_payment_charge_id,
      ...(paid.subscription_expiration_date !== undefined && {
        expiresAt: new Date(paid.subscription_expiration_date * 1_000),
      }),
      ...(isOfSubscription && { isFirst: paid.is_first_recurring === true }),
    };
  }
  if (message?.refunded_payment) {
    const back = message.refunded_payment;
    return {
      ...{ kind: "refunded", userId: message.chat.id, amount: back.total_amount, currency: back.currency },
      ...{ payload: back.invoice_payload, chargeId: back.telegram_payment_charge_id },
    };
  }
  if (subscription) {
    const { invoice_payload: payload, state } = subscription;
    return { kind: "subscription", userId: subscription.user.id, payload, state };
  }
  return undefined;
}
