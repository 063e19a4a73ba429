import { z } from "zod";

/** YooKassa's answers, as far as we read them. Unknown fields are ignored. */

/** Amounts come as text with two decimals; billing counts in roubles. */
const amount = z.object({
  value: z
    .string()
    .regex(/^\d{1,10}\.\d{2}$/)
    .transform(Number),
  currency: z.string(),
});

const cancellation = z.object({ party: z.string(), reason: z.string() });

const method = z.object({
  type: z.string(),
  id: z.string().min(1),
  saved: z.boolean().default(false),
  account_number: z.string().optional(),
  card: z
    .object({
      first6: z.string().optional(),
      last4: z.string(),
      expiry_month: z.string().optional(),
      expiry_year: z.string().optional(),
    })
    .optional(),
});
export type PaidBy = z.infer<typeof method>;

export const cardPaymentShape = z.object({
  id: z.string().min(1).max(255),
  status: z.enum(["pending", "waiting_for_capture", "succeeded", "canceled"]),
  paid: z.boolean(),
  amount,
  refunded_amount: amount.optional(),
  created_at: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  confirmation: z.object({ confirmation_url: z.string().optional() }).optional(),
  payment_method: method.optional(),
  cancellation_details: cancellation.optional(),
  metadata: z.record(z.string(), z.string()).default({}),
});
export type CardPayment = z.infer<typeof cardPaymentShape>;

export const cardRefundShape = z.object({
  id: z.string().min(1),
  payment_id: z.string().min(1),
  status: z.enum(["pending", "succeeded", "canceled"]),
  amount,
  cancellation_details: cancellation.optional(),
});
export type CardRefund = z.infer<typeof cardRefundShape>;

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().optional() });

export const errorShape = z.object({
  type: z.literal("error"),
  code: z.string(),
  description: z.string().default(""),
  parameter: z.string().optional(),
});

/** An amount in YooKassa's format. */
export const sum = (roubles: number) => ({ value: roubles.toFixed(2), currency: "RUB" });
