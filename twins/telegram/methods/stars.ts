/** Selling for Stars: invoices, pre-checkout answers, refunds, transactions. */
import { chatOf, checkPosting } from "../access.ts";
import { badRequest } from "../api-error.ts";
import type { Method } from "../call.ts";
import { flag, integer, text } from "../params.ts";
import { post, readOptions } from "../posting.ts";
import { move, openCheckout, tellOf } from "../stars/checkout.ts";
import { linkOf, readInvoice } from "../stars/invoice.ts";
import type { StarPayment } from "../stars/model.ts";
import { seconds, userFor } from "../wire.ts";

export const sendInvoice: Method = (call, deps) => {
  const invoice = readInvoice(call, deps);
  if (invoice.subscriptionPeriod !== undefined) throw badRequest("SUBSCRIPTION_EXPORT_MISSING");
  const chat = chatOf(deps.store, call.params);
  checkPosting(chat, call.bot, "text");
  const { keyboard, ...options } = readOptions(call.params, chat, deps);
  if (keyboard && keyboard.rows[0]?.[0]?.pay !== true) throw badRequest("REPLY_MARKUP_BUY_EMPTY");
  deps.store.stars().invoices.push(invoice);
  const shown = keyboard ?? { inline: true, rows: [[{ text: `Pay ⭐️${invoice.amount}`, pay: true }]] };
  const draft = {
    ...{ text: "", entities: [], keyboard: shown },
    stars: { kind: "invoice" as const, invoice, paid: false },
  };
  return post(call, deps, { chat, contents: ["text"], options }, [draft])[0];
};

export const createInvoiceLink: Method = (call, deps) => {
  const invoice = readInvoice(call, deps);
  deps.store.stars().invoices.push(invoice);
  deps.store.changed();
  return linkOf(invoice);
};

export const answerPreCheckoutQuery: Method = ({ bot, params }, deps) => {
  const ok = flag(params, "ok");
  const reason = text(params, "error_message");
  if (!ok && reason === "") throw badRequest('parameter "error_message" is required');
  const checkout = openCheckout(bot, text(params, "pre_checkout_query_id"), deps);
  if (!checkout) throw badRequest("query is too old and response timeout expired or query ID is invalid");
  checkout.answer = { ok, ...(!ok && { reason }) };
  deps.store.changed();
  return true;
};

export const refundStarPayment: Method = ({ bot, params }, deps) => {
  const { store, context } = deps;
  const userId = integer(params, "user_id");
  const chargeId = text(params, "telegram_payment_charge_id");
  const payment = store
    .stars()
    .payments.find((each) => each.chargeId === chargeId && each.botId === bot.id && each.personId === userId);
  if (!payment) throw badRequest("CHARGE_NOT_FOUND");
  if (payment.refundedAt !== undefined) throw badRequest("CHARGE_ALREADY_REFUNDED");
  payment.refundedAt = context.clock.now();
  const person = store.person(payment.personId);
  const chat = store.chatById(payment.personId);
  if (person) move(person, payment.amount, store);
  const { amount, payload } = payment;
  if (person && chat) tellOf(chat, person, { kind: "refund", amount, payload, chargeId }, bot.id, deps);
  store.changed();
  return true;
};

/** By the first charge of the subscription. A bot can resume what a bot cancelled. */
export const editUserStarSubscription: Method = ({ bot, params }, { store, context }) => {
  const userId = integer(params, "user_id");
  const chargeId = text(params, "telegram_payment_charge_id");
  if (text(params, "is_canceled") === "") throw badRequest('parameter "is_canceled" is required');
  const found = store
    .stars()
    .subscriptions.find(
      (each) => each.chargeId === chargeId && each.invoice.botId === bot.id && each.personId === userId,
    );
  if (!found) throw badRequest("CHARGE_NOT_FOUND");
  const cancels = flag(params, "is_canceled");
  if (cancels && found.state !== "canceled") {
    found.state = "canceled";
    found.canceledBy = "bot";
  } else if (!cancels && found.state === "canceled") {
    if (found.canceledBy === "user") throw badRequest("SUBSCRIPTION_CANCELED_BY_USER");
    if (found.until <= context.clock.now()) throw badRequest("SUBSCRIPTION_EXPIRED");
    found.state = "active";
    delete found.canceledBy;
  }
  store.changed();
  return true;
};

const mostTransactions = 100;

/** The oldest first; a refund is a separate transaction with the id of its payment. */
export const getStarTransactions: Method = ({ bot, params }, { store }) => {
  const offset = integer(params, "offset") ?? 0;
  const limit = integer(params, "limit") ?? mostTransactions;
  if (offset < 0) throw badRequest("invalid offset specified");
  if (limit < 1 || limit > mostTransactions) throw badRequest("invalid limit specified");
  const partner = ({ personId, payload, subscriptionPeriod }: StarPayment) => ({
    ...{
      type: "user",
      transaction_type: "invoice_payment",
      user: userFor(store, personId),
      invoice_payload: payload,
    },
    ...(subscriptionPeriod !== undefined && { subscription_period: subscriptionPeriod }),
  });
  const all = store
    .stars()
    .payments.filter(({ botId }) => botId === bot.id)
    .flatMap((payment) => {
      const { chargeId: id, amount, at, refundedAt } = payment;
      const paid = { at, told: { id, amount, date: seconds(at), source: partner(payment) } };
      if (refundedAt === undefined) return [paid];
      const back = { id, amount, date: seconds(refundedAt), receiver: partner(payment) };
      return [paid, { at: refundedAt, told: back }];
    });
  all.sort((one, other) => one.at - other.at);
  return { transactions: all.slice(offset, offset + limit).map(({ told }) => told) };
};
