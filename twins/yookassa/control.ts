import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, InputError, readInput } from "../shared/index.ts";
import { amountField } from "./amounts.ts";
import { ApiError } from "./errors.ts";
import { accept, cancel, expire, pay } from "./lifecycle.ts";
import { notifications as rules } from "./limits.ts";
import { type Method, methodKinds, noticeEvents, type Payment, type Shop } from "./model.ts";
import { chargeSaved } from "./payments.ts";
import { tellOfShop } from "./places.ts";
import { cancelReasons } from "./reasons.ts";
import { refundOf, settleRefund } from "./refunds.ts";
import type { YooKassa } from "./twin.ts";
import { wireMethod, wirePayment, wireRefund } from "./wire.ts";

const shopBody = z.strictObject({
  id: z.string().regex(/^\d{1,20}$/),
  secret: z
    .string()
    .regex(/^(live|test)_\S+$/, "begins with live_ or test_")
    .optional(),
  name: z.string().min(1).optional(),
  recurring: z.boolean().optional(),
  fiscal: z.boolean().optional(),
  notification_url: z.url().nullable().optional(),
  events: z.array(z.enum(noticeEvents)).optional(),
  source: z.union([z.ipv4(), z.ipv6()]).nullable().optional(),
  refunds: z.enum(["succeeded", "pending", "canceled"]).optional(),
});
const optionsBody = z.strictObject({
  duplicates: z.int().min(0).max(10).optional(),
  held: z.boolean().optional(),
  advance_ms: z.int().min(0).optional(),
});
const actBody = z.discriminatedUnion("act", [
  z.strictObject({
    act: z.literal("pay"),
    method: z.enum(methodKinds).default("bank_card"),
    last4: z
      .string()
      .regex(/^\d{4}$/)
      .default("4444"),
  }),
  z.strictObject({ act: z.literal("decline"), reason: z.enum(cancelReasons) }),
  z.strictObject({ act: z.literal("settle") }),
]);
const changeBody = z.strictObject({ amount: amountField });
const methodBody = z.strictObject({
  declines: z.enum(cancelReasons).nullable().optional(),
  pending: z.boolean().optional(),
});
const refundBody = z.strictObject({ payment_id: z.string(), amount: amountField });
const refundAct = z.strictObject({ outcome: z.enum(["succeeded", "canceled"]) });
const runBody = z.strictObject({
  all: z.boolean().default(true),
  order: z.enum(["oldest_first", "newest_first"]).default("oldest_first"),
});
const idPath = z.object({ id: z.string() });

/** Actions of people and tests, below `/_control/yookassa`. A repeated call updates the named object. */
export async function controlRoutes(app: FastifyInstance, yookassa: YooKassa): Promise<void> {
  const { store, context, notifications } = yookassa;
  const { world } = store;
  const base = "/_control/yookassa";
  const shown = (payment: Payment) => wirePayment(store, context.options.baseUrl, payment);

  app.get(`${base}/shops`, async () => ({ shops: world.shops }));
  app.post(`${base}/shops`, async (request) => {
    const { id, notification_url, ...change } = readInput(shopBody, request.body);
    checkAddress(notification_url);
    const known = store.shop(id);
    const shop: Shop = Object.assign(
      known ?? { ...freshShop, id },
      definedOnly({ ...change, notificationUrl: notification_url }),
    );
    shop.test = shop.secret.startsWith("test_");
    if (!known) world.shops.push(shop);
    store.changed();
    tellOfShop(yookassa, id);
    return shop;
  });
  app.get(`${base}/payments`, async () => ({ payments: world.payments.map(shown).reverse() }));
  app.post(`${base}/payments/:id/act`, async (request) => {
    const payment = paymentOf(request.params);
    const body = readInput(actBody, request.body);
    if (body.act === "pay") pay(yookassa, payment, { kind: body.method, last4: body.last4 });
    if (body.act === "decline") cancel(yookassa, payment, body.reason);
    if (body.act === "settle")
      payment.methodId === null ? accept(yookassa, payment) : chargeSaved(yookassa, payment);
    return shown(payment);
  });
  /** Changes that no real shop can make, for receivers that must notice them. */
  app.patch(`${base}/payments/:id`, async (request) => {
    const payment = paymentOf(request.params);
    payment.amount = readInput(changeBody, request.body).amount.value;
    store.changed();
    return shown(payment);
  });
  app.get(`${base}/methods`, async () => ({ methods: world.methods.map(shownMethod) }));
  app.patch(`${base}/methods/:id`, async (request) => {
    const { id } = readInput(idPath, request.params);
    const method = store.method(id);
    if (!method) throw new InputError(`there is no method ${id}`, 404);
    Object.assign(method, definedOnly(readInput(methodBody, request.body)));
    store.changed();
    return shownMethod(method);
  });
  /** A refund that the owner makes in the shop's settings. */
  app.post(`${base}/refunds`, async (request) => {
    const { payment_id, amount } = readInput(refundBody, request.body);
    const shop = store.shop(store.payment(payment_id)?.shopId);
    if (!shop) throw new InputError(`payment_id: there is no payment ${payment_id}`, 404);
    try {
      return wireRefund(
        refundOf(yookassa, shop, { paymentId: payment_id, amount: amount.value, description: null }),
      );
    } catch (error) {
      if (error instanceof ApiError) throw new InputError(error.message);
      throw error;
    }
  });
  app.get(`${base}/refunds`, async () => ({ refunds: world.refunds.map(wireRefund).reverse() }));
  app.post(`${base}/refunds/:id/act`, async (request) => {
    const { id } = readInput(idPath, request.params);
    const refund = store.refund(id);
    if (!refund) throw new InputError(`there is no refund ${id}`, 404);
    settleRefund(yookassa, refund, readInput(refundAct, request.body).outcome);
    return wireRefund(refund);
  });
  app.get(`${base}/notifications`, async () => ({
    waiting: world.notices.map(({ event, objectId, failures, dueAt }) => ({
      event,
      object_id: objectId,
      failures,
      due_at: new Date(dueAt).toISOString(),
    })),
  }));
  app.post(`${base}/notifications/run`, async (request) => {
    const { all, order } = readInput(runBody, request.body);
    return { sent: await notifications.run({ all, newestFirst: order === "newest_first" }) };
  });
  app.patch(`${base}/options`, async (request) => {
    const { advance_ms, ...change } = readInput(optionsBody, request.body);
    Object.assign(world, definedOnly(change));
    world.aheadMs += advance_ms ?? 0;
    store.changed();
    expire(yookassa);
    if (advance_ms !== undefined && !world.held) await notifications.run({ all: false, newestFirst: false });
    return { duplicates: world.duplicates, held: world.held, ahead_ms: world.aheadMs };
  });

  function checkAddress(url: string | null | undefined): void {
    if (!url || context.options.insecureWebhooks) return;
    const { protocol, port } = new URL(url);
    if (protocol !== "https:" || !["", "8443"].includes(port))
      throw new InputError("notification_url: https on port 443 or 8443 is required");
  }

  function paymentOf(params: unknown): Payment {
    const { id } = readInput(idPath, params);
    const payment = store.payment(id);
    if (!payment) throw new InputError(`there is no payment ${id}`, 404);
    return payment;
  }
}

const shownMethod = (method: Method) => ({
  ...wireMethod(method),
  declines: method.declines,
  pending: method.pending,
});

const freshShop = {
  name: "Магазин",
  secret: "test_secret",
  test: true,
  recurring: true,
  fiscal: false,
  notificationUrl: null,
  events: [...noticeEvents],
  source: rules.source,
  refunds: "succeeded",
} satisfies Omit<Shop, "id">;
