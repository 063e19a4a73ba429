import { z } from "zod";
import { amountField, amountOf } from "./amounts.ts";
import { refuse } from "./errors.ts";
import { accept, cancel, capture, expire } from "./lifecycle.ts";
import { limits } from "./limits.ts";
import { methodKinds, type Payment } from "./model.ts";
import { tellOfShop } from "./places.ts";
import { createdAt, paged, pageFields, read, timeFields } from "./read.ts";
import { checkReceipt, receiptField } from "./receipts.ts";
import type { Call, Reply, YooKassa } from "./twin.ts";
import { wirePayment } from "./wire.ts";

const metadata = z
  .record(z.string().max(limits.metadata.key), z.string().max(limits.metadata.value))
  .refine((fields) => Object.keys(fields).length <= limits.metadata.keys, "has more than 16 keys");

const paymentBody = z.strictObject({
  amount: amountField,
  capture: z.boolean().default(false),
  confirmation: z
    .strictObject({
      type: z.literal("redirect", { error: "this shop can use redirect only" }),
      return_url: z.url().max(2048),
      locale: z.enum(["ru_RU", "en_US"]).optional(),
      enforce: z.boolean().optional(),
    })
    .optional(),
  description: z.string().max(limits.description).optional(),
  save_payment_method: z.boolean().default(false),
  payment_method_id: z.string().optional(),
  payment_method_data: z.strictObject({ type: z.enum(methodKinds) }).optional(),
  merchant_customer_id: z.string().max(limits.merchantCustomerId).optional(),
  client_ip: z.union([z.ipv4(), z.ipv6()]).optional(),
  metadata: metadata.default({}),
  receipt: receiptField.optional(),
});

const captureBody = z.strictObject({ amount: amountField.optional(), receipt: receiptField.optional() });

const listQuery = z.strictObject({
  ...timeFields,
  status: z.enum(["pending", "waiting_for_capture", "succeeded", "canceled"]).optional(),
  ...pageFields,
});

export function createPayment(yookassa: YooKassa, { shop, body }: Call): Reply {
  const { store } = yookassa;
  const fields = read(paymentBody, body);
  const amount = fields.amount.value;
  checkReceipt(fields.receipt, { fiscal: shop.fiscal, amount });
  if ((fields.save_payment_method || fields.payment_method_id !== undefined) && !shop.recurring)
    throw refuse.recurring();
  const method = fields.payment_method_id === undefined ? undefined : store.method(fields.payment_method_id);
  if (fields.payment_method_id !== undefined && (method?.shopId !== shop.id || !method.saved))
    throw refuse.invalid("Payment method is not found or not saved", "payment_method_id");
  if (method && fields.confirmation)
    throw refuse.invalid("Saved methods are charged without confirmation", "confirmation");
  if (!method && !fields.confirmation) throw refuse.invalid("Confirmation is required", "confirmation");

  const payment: Payment = {
    id: store.newId(),
    shopId: shop.id,
    status: "pending",
    amount,
    capture: fields.capture,
    returnUrl: fields.confirmation?.return_url ?? null,
    description: fields.description ?? null,
    metadata: fields.metadata,
    customer: fields.merchant_customer_id ?? null,
    save: fields.save_payment_method,
    methodId: method?.id ?? null,
    refunded: 0,
    createdAt: store.now(),
    paidAt: null,
    capturedAt: null,
    hasReceipt: fields.receipt !== undefined,
    cancellation: null,
  };
  store.world.payments.push(payment);
  store.changed();
  tellOfShop(yookassa, shop.id);
  if (method && !method.pending) chargeSaved(yookassa, payment);
  return { body: wire(yookassa, payment), created: [payment.id] };
}

/** The outcome of a payment by a saved method, which needs no confirmation. */
export function chargeSaved(yookassa: YooKassa, payment: Payment): void {
  const method = yookassa.store.method(payment.methodId);
  if (method?.declines) cancel(yookassa, payment, method.declines);
  else accept(yookassa, payment);
}

export function getPayment(yookassa: YooKassa, call: Call): Reply {
  expire(yookassa);
  return { body: wire(yookassa, own(yookassa, call)) };
}

export function listPayments(yookassa: YooKassa, { shop, query }: Call): Reply {
  expire(yookassa);
  const { limit, cursor, status, ...times } = read(listQuery, query);
  const fitting = yookassa.store
    .paymentsOf(shop.id)
    .filter((payment) => status === undefined || payment.status === status)
    .filter((payment) => createdAt(payment, times));
  const { items, more } = paged(fitting, { limit, cursor });
  return { body: { type: "list", items: items.map((payment) => wire(yookassa, payment)), ...more } };
}

export function capturePayment(yookassa: YooKassa, call: Call): Reply {
  expire(yookassa);
  const payment = own(yookassa, call);
  const { amount, receipt } = read(captureBody, call.body);
  if (payment.status !== "waiting_for_capture")
    throw refuse.invalid(`Payment in status ${payment.status} can't be captured`);
  const sum = amount?.value ?? payment.amount;
  if (sum > payment.amount)
    throw refuse.invalid(`Only ${amountOf(payment.amount).value} can be captured`, "amount.value");
  const isPart = sum < payment.amount;
  checkReceipt(receipt, { fiscal: call.shop.fiscal && isPart, amount: sum });
  capture(yookassa, payment, sum);
  return { body: wire(yookassa, payment) };
}

export function cancelPayment(yookassa: YooKassa, call: Call): Reply {
  expire(yookassa);
  const payment = own(yookassa, call);
  if (payment.status !== "waiting_for_capture")
    throw refuse.invalid(`Payment in status ${payment.status} can't be canceled`);
  cancel(yookassa, payment, "canceled_by_merchant");
  return { body: wire(yookassa, payment) };
}

function own({ store }: YooKassa, { shop, params }: Call): Payment {
  const payment = store.payment(params.id);
  if (payment?.shopId !== shop.id) throw refuse.missing("Payment");
  return payment;
}

const wire = ({ store, context }: YooKassa, payment: Payment) =>
  wirePayment(store, context.options.baseUrl, payment);
