import { z } from "zod";

export const paymentStates = ["pending", "completed", "refunded", "failed"] as const;
export const paymentSchema = z
  .object({
    id: z.int(),
    user_id: z.int(),
    provider: z.string(),
    product: z.string().nullable(),
    package: z.string().nullable(),
    status: z.enum(paymentStates),
    amount: z.number().describe("In `currency`"),
    currency: z.string().describe("RUB, or XTR for Telegram Stars"),
    tokens: z.int().describe("0 for a plan"),
    charge_id: z.string().nullable().describe("The provider's id of the charge"),
    fault: z.string().nullable().describe("Why money that came was not credited"),
    reason: z.string().nullable().describe("Why a payment did not come"),
    refunded: z.number().describe("How much of the money went back"),
    refunded_tokens: z.int(),
    referrer_id: z.int().nullable(),
    referral_tokens: z.int(),
    subscription: z.int().nullable(),
    until: z.date().nullable().describe("Until when it is paid for, for what lasts a time"),
    created_at: z.date(),
    completed_at: z.date().nullable(),
  })
  .meta({ id: "BillingPayment" });
export type Payment = z.infer<typeof paymentSchema>;

export const subscriptionStates = ["active", "paused", "cancelled", "expired"] as const;
export const subscriptionSchema = z
  .object({
    id: z.int(),
    user_id: z.int(),
    product: z.string(),
    provider: z.string(),
    seller: z.string(),
    package: z.string(),
    status: z.enum(subscriptionStates),
    amount: z.number(),
    currency: z.string(),
    tokens: z.int(),
    period_end: z.date(),
    renewals: z.int(),
    charge_id: z.string().nullable().describe("The charge it began with"),
    created_at: z.date(),
  })
  .meta({ id: "BillingSubscription" });
export type Subscription = z.infer<typeof subscriptionSchema>;
