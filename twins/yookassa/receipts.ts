import { z } from "zod";
import { amountField } from "./amounts.ts";
import { refuse } from "./errors.ts";
import { limits } from "./limits.ts";

const paymentModes = [
  "full_prepayment",
  "partial_prepayment",
  "advance",
  "full_payment",
  "partial_payment",
  "credit",
  "credit_payment",
] as const;

const paymentSubjects = [
  "commodity",
  "excise",
  "job",
  "service",
  "gambling_bet",
  "gambling_prize",
  "lottery",
  "lottery_prize",
  "intellectual_activity",
  "payment",
  "agent_commission",
  "property_right",
  "non_operating_gain",
  "insurance_premium",
  "sales_tax",
  "resort_fee",
  "composite",
  "another",
] as const;

const quantity = z
  .union([z.string().regex(/^\d{1,6}(\.\d{1,3})?$/), z.number()])
  .transform(Number)
  .refine((count) => count > 0, "must be above zero");

export const receiptField = z.strictObject({
  customer: z.strictObject({
    full_name: z.string().max(256).optional(),
    email: z.email().optional(),
    phone: z
      .string()
      .regex(/^\d{10,15}$/, "must be digits with the country's code, without +")
      .optional(),
  }),
  items: z
    .array(
      z.strictObject({
        description: z.string().min(1).max(limits.receipt.description),
        quantity,
        amount: amountField,
        vat_code: z.int().min(1).max(12),
        payment_mode: z.enum(paymentModes).optional(),
        payment_subject: z.enum(paymentSubjects).optional(),
      }),
    )
    .min(1)
    .max(limits.receipt.items),
  tax_system_code: z.int().min(1).max(6).optional(),
});

/** A shop whose receipts YooKassa makes must send one; any receipt that is sent must be valid. */
export function checkReceipt(
  receipt: z.output<typeof receiptField> | undefined,
  { fiscal, amount }: { fiscal: boolean; amount: number },
): void {
  if (!receipt) {
    if (fiscal) throw refuse.invalid("Receipt is missing or illegal", "receipt");
    return;
  }
  const { customer, items } = receipt;
  if (customer.email === undefined && customer.phone === undefined)
    throw refuse.invalid("Receipt is missing or illegal: email or phone is required", "receipt.customer");
  const sum = items.reduce((total, item) => total + Math.round(item.quantity * item.amount.value), 0);
  if (sum !== amount)
    throw refuse.invalid("Receipt is missing or illegal: sum of items differs from amount", "receipt.items");
}
