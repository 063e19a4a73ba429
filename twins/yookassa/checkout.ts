import type { FastifyInstance, FastifyReply } from "fastify";
import { acceptForms, fieldsOf, type Html, html, sendPage } from "../shared/index.ts";
import { cancel, expire, pay } from "./lifecycle.ts";
import { type MethodKind, methodKinds, type Payment, type Shop } from "./model.ts";
import { style } from "./page-style.ts";
import { declineReasons } from "./reasons.ts";
import type { YooKassa } from "./twin.ts";
import { checkoutPath } from "./wire.ts";

const methodNames: Readonly<Record<MethodKind, string>> = {
  bank_card: "Банковская карта",
  yoo_money: "Кошелёк ЮMoney",
  sbp: "СБП",
};

/** The payment page: pay, decline for a reason, or leave it until it expires. */
export async function checkoutRoutes(app: FastifyInstance, yookassa: YooKassa): Promise<void> {
  acceptForms(app);
  app.route({
    method: ["GET", "POST"],
    url: "/yookassa/checkout/payments/v2/contract",
    handler: async (request, reply) => {
      const fields = fieldsOf(request);
      expire(yookassa);
      const payment = yookassa.store.payment(fields.orderId);
      const shop = yookassa.store.shop(payment?.shopId);
      if (!payment || !shop || payment.returnUrl === null) return missing(reply);
      if (request.method === "POST") {
        decide(yookassa, payment, fields);
        // Reloading the page must not pay twice.
        return reply.redirect(checkoutPath(payment.id), 303);
      }
      const body = payment.status === "pending" ? asking(shop, payment) : ended(shop, payment);
      return sendPage(reply, { title: "Оплата", style, body, form: true });
    },
  });
}

function decide(yookassa: YooKassa, payment: Payment, fields: Readonly<Record<string, string>>): void {
  const { decision, method, reason = "" } = fields;
  const kind = methodKinds.find((each) => each === method) ?? "bank_card";
  const digits = (fields.card ?? "").replace(/\D/g, "");
  if (decision === "pay") pay(yookassa, payment, { kind, last4: digits.slice(-4).padStart(4, "0") });
  if (decision === "decline" && reason in declineReasons) cancel(yookassa, payment, reason);
}

function asking(shop: Shop, payment: Payment): Html {
  return html`<main>${head(shop, payment)}
<form method="post">
<fieldset><legend>Чем платить</legend>${methodKinds.map(
    (kind, index) =>
      html`<label><input type="radio" name="method" value="${kind}"${index === 0 && html` checked`}>${methodNames[kind]}</label>`,
  )}</fieldset>
<label class="field">Номер карты<input name="card" inputmode="numeric" autocomplete="off" value="5555 5555 5555 4444"></label>
${payment.save && shop.recurring && html`<p class="note">Магазин запомнит способ оплаты для следующих платежей.</p>`}
<button class="pay" name="decision" value="pay">Заплатить ${roubles(payment.amount)}</button>
<div class="decline"><label class="field">Причина отказа<select name="reason">${Object.entries(
    declineReasons,
  ).map(
    ([reason, words]) => html`<option value="${reason}">${words}</option>`,
  )}</select></label><button name="decision" value="decline">Отклонить платёж</button></div>
</form>
<a class="leave" href="${payment.returnUrl ?? ""}">Уйти без оплаты</a>
<p class="note">Без оплаты платёж отменится сам через час.</p></main>`;
}

function ended(shop: Shop, payment: Payment): Html {
  const { cancellation } = payment;
  const isExpired = cancellation?.reason === "expired_on_confirmation";
  const heading = !cancellation ? "Оплачено" : isExpired ? "Время вышло" : "Платёж не прошёл";
  const why =
    cancellation && !isExpired ? (declineReasons[cancellation.reason] ?? cancellation.reason) : undefined;
  return html`<main>${head(shop, payment)}<h2>${heading}</h2>${why !== undefined && html`<p>${why}</p>`}
<a class="pay" href="${payment.returnUrl ?? ""}">Вернуться в магазин</a></main>`;
}

function head(shop: Shop, payment: Payment): Html {
  return html`<header><span class="brand">Ю<b>Kassa</b></span><small>${shop.test && "тестовый магазин"}</small></header>
<p class="shop">${shop.name}</p><h1>${roubles(payment.amount)}</h1><p>${payment.description ?? ""}</p>`;
}

function missing(reply: FastifyReply): FastifyReply {
  const body = html`<main><h1>Платёж не найден</h1></main>`;
  return sendPage(reply, { title: "Оплата", style, body, status: 404 });
}

export const roubles = (kopecks: number) =>
  new Intl.NumberFormat("ru-RU", { style: "currency", currency: "RUB" }).format(kopecks / 100);
