import { z } from "zod";

/** An invoice in the chat, where the messenger supports it. The payload comes back with the payment. */
export const invoiceShape = z.object({
  title: z.string().min(1).max(32),
  description: z.string().min(1).max(255),
  /** At most 128 bytes. */
  payload: z.string().min(1),
  /** Label of the price, as the messenger shows it. */
  label: z.string().min(1),
  amount: z.int().positive(),
  /** Telegram Stars. */
  currency: z.literal("XTR"),
});
export type Invoice = z.infer<typeof invoiceShape>;
