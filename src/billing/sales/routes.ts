import { z } from "zod";
import type { App } from "../../http/index.ts";
import { flag, noteReadingBy, reason, workspaceRoutes } from "../../workspaces/index.ts";
import { userId } from "../people/shape.ts";
import { cancelSubscription } from "./cancel.ts";
import { paymentPage, readPayment } from "./payments.ts";
import { type RefundDeps, refund, refundedSchema } from "./refund.ts";
import { paymentSchema, paymentStates, subscriptionSchema, subscriptionStates } from "./shape.ts";
import { subscriptionPage } from "./subscriptions.ts";

const number = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "A whole number above zero")
  .transform(Number);
const params = z.object({ id: number });

/** Payments, subscriptions, and refunds. */
export function salesRoutes(app: App, deps: RefundDeps): void {
  const { sql, clock } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/billing", tag: "billing" });

  routes.list(
    "/payments",
    {
      scope: "people",
      summary: "Payments, the newest first; each reading is recorded",
      query: {
        status: z.enum(paymentStates).optional(),
        provider: z.string().max(20).optional().describe("stars or yookassa"),
        user_id: userId.optional(),
        faulty: flag.optional().describe("true: only money that came and was not credited"),
      },
      item: paymentSchema,
    },
    async ({ workspaceId, query, page, request }) => {
      const payments = await paymentPage(sql, workspaceId, { ...query, ...page });
      const meta = { object: "billing_payments", count: payments.items.length };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return payments;
    },
  );
  routes.get(
    "/payments/:id",
    { scope: "people", summary: "One payment; each reading is recorded", params, answer: paymentSchema },
    async ({ workspaceId, params: { id }, request }) => {
      const payment = await readPayment(sql, workspaceId, id);
      const meta = { object: "billing_payment", payment_id: id };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return payment;
    },
  );
  routes.post(
    "/payments/:id/refund",
    {
      scope: "admin",
      summary: "Give money back; the same part of the tokens goes with it, below zero if they were spent",
      params,
      body: z.strictObject({
        amount: z
          .number()
          .positive()
          .multipleOf(0.01)
          .optional()
          .describe(
            "In the payment's currency; everything that is left unless given. Stars go back as a whole",
          ),
        reason,
      }),
      answer: refundedSchema,
    },
    ({ workspaceId, params: { id }, body: { amount }, by }) =>
      refund(deps, workspaceId, { paymentId: id, amount }, by),
  );
  routes.list(
    "/subscriptions",
    {
      scope: "people",
      summary: "Subscriptions, the newest first; each reading is recorded",
      query: { status: z.enum(subscriptionStates).optional(), user_id: userId.optional() },
      item: subscriptionSchema,
    },
    async ({ workspaceId, query, page, request }) => {
      const found = await subscriptionPage(sql, workspaceId, { ...query, ...page });
      const meta = { object: "billing_subscriptions", count: found.items.length };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return found;
    },
  );
  routes.post(
    "/subscriptions/:id/cancel",
    {
      scope: "admin",
      summary: "End a subscription with what is paid for; it is not charged again",
      params,
      body: z.strictObject({ reason }),
      answer: subscriptionSchema,
    },
    ({ workspaceId, params: { id }, by }) => cancelSubscription(deps, workspaceId, id, by),
  );
}
