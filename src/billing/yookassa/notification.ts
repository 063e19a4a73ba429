import { z } from "zod";

/** Only the id of the object is used: notifications are not signed, so the object is fetched from the API. */
const shape = z.object({
  type: z.literal("notification"),
  event: z.string().max(100),
  object: z.object({
    id: z
      .string()
      .regex(/^[\w-]+$/)
      .max(255),
  }),
});

export type Notification =
  | { readonly kind: "payment"; readonly event: string; readonly paymentId: string }
  | { readonly kind: "refund"; readonly event: string; readonly refundId: string }
  /** About payouts, deals and methods; ignored. */
  | { readonly kind: "other"; readonly event: string };

/** Undefined if it is not a notification. */
export function readNotification(body: unknown): Notification | undefined {
  const read = shape.safeParse(body);
  if (!read.success) return undefined;
  const { event, object } = read.data;
  if (event.startsWith("payment.")) return { kind: "payment", event, paymentId: object.id };
  if (event.startsWith("refund.")) return { kind: "refund", event, refundId: object.id };
  return { kind: "other", event };
}
