import type { FastifyInstance } from "fastify";
import { acceptForms, fieldsOf, type Html, html, sendPage } from "../shared/index.ts";
import { amountOf, kopecksOf } from "./amounts.ts";
import { roubles } from "./checkout.ts";
import { ApiError } from "./errors.ts";
import { expire } from "./lifecycle.ts";
import type { Payment, PaymentStatus, Shop } from "./model.ts";
import { style } from "./page-style.ts";
import { refundOf } from "./refunds.ts";
import type { YooKassa } from "./twin.ts";
import { checkoutPath } from "./wire.ts";

const statusNames: Readonly<Record<PaymentStatus, string>> = {
  pending: "ждёт оплаты",
  waiting_for_capture: "ждёт подтверждения",
  succeeded: "оплачен",
  canceled: "отменён",
};

/** What the owner sees in the cabinet: the payments of a shop, the newest first, each with a way to give its money back. */
export async function shopRoutes(app: FastifyInstance, yookassa: YooKassa): Promise<void> {
  acceptForms(app);
  app.route<{ Params: { id: string } }>({
    method: ["GET", "POST"],
    url: "/yookassa/shops/:id/",
    handler: async (request, reply) => {
      expire(yookassa);
      const shop = yookassa.store.shop(request.params.id);
      if (!shop) {
        const body = html`<main><h1>Магазин не найден</h1></main>`;
        return sendPage(reply, { title: "ЮKassa", style, body, status: 404 });
      }
      const refusal = request.method === "POST" ? refundBy(yookassa, shop, fieldsOf(request)) : undefined;
      // Reloading the page must not give anything back twice.
      if (request.method === "POST" && refusal === undefined) return reply.redirect(request.url, 303);
      const body = cabinet(shop, yookassa.store.paymentsOf(shop.id), refusal);
      const status = refusal === undefined ? 200 : 400;
      return sendPage(reply, { title: shop.name, style, body, form: true, status });
    },
  });
}

/** Why nothing was given back, if nothing was. */
function refundBy(
  yookassa: YooKassa,
  shop: Shop,
  { payment = "", amount = "" }: Readonly<Record<string, string>>,
): string | undefined {
  const typed = amount.replaceAll(/\s/g, "").replace(",", ".");
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(typed) || Number(typed) === 0)
    return "Укажите сумму больше нуля, например 990 или 990,50.";
  try {
    refundOf(yookassa, shop, { paymentId: payment, amount: kopecksOf(typed), description: null });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.parameter === "amount.value"
      ? "Столько вернуть нельзя: это больше, чем осталось от платежа."
      : "Этот платёж вернуть нельзя: он не оплачен.";
  }
}

function cabinet(shop: Shop, payments: readonly Payment[], refusal: string | undefined): Html {
  return html`<main class="wide"><header><span class="brand">Ю<b>Kassa</b></span><small>магазин ${shop.id}</small></header>
<h1>${shop.name}</h1>${refusal !== undefined && html`<p role="alert">${refusal}</p>`}${
    payments.length === 0
      ? html`<p>Платежей пока нет.</p>`
      : html`<table><tr><th>Когда</th><th>Сумма</th><th>Что с ним</th><th>За что</th><th>Возврат</th></tr>${payments.map(row)}</table>`
  }</main>`;
}

function row(payment: Payment) {
  const { createdAt, amount, status, refunded, cancellation, description, returnUrl, id } = payment;
  const when = new Intl.DateTimeFormat("ru-RU", {
    dateStyle: "short",
    timeStyle: "medium",
    timeZone: "Europe/Moscow",
  });
  const canPay = status === "pending" && returnUrl !== null;
  return html`<tr><td>${when.format(createdAt)}</td><td>${roubles(amount)}</td><td>${statusNames[status]}${
    cancellation !== null && html`<br><small>${cancellation.reason}</small>`
  }${refunded > 0 && html`<br><small>возвращено ${roubles(refunded)}</small>`}${
    canPay && html`<br><a href="${checkoutPath(id)}">страница оплаты</a>`
  }</td><td>${description ?? ""}</td><td>${status === "succeeded" && amount > refunded && refundForm(payment)}</td></tr>`;
}

function refundForm({ id, amount, refunded }: Payment): Html {
  return html`<form class="refund" method="post"><input type="hidden" name="payment" value="${id}">
<input name="amount" inputmode="decimal" autocomplete="off" aria-label="Сколько вернуть, ₽" value="${amountOf(amount - refunded).value}">
<button>Вернуть</button></form>`;
}
