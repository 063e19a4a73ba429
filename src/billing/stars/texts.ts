import type { SaleRefusal } from "../sales/sale.ts";

/** Shown in Telegram's own window if a payment may not be made. Nothing was charged then. */
export const refusalTexts: Readonly<Record<"ru" | "en", Readonly<Record<SaleRefusal, string>>>> = {
  ru: {
    sale_unknown: "Этот счёт больше не действует. Откройте тарифы и начните заново.",
    user_differs: "Этот счёт выставлен другому человеку. Откройте тарифы и начните заново.",
    amount_differs: "Сумма не совпадает со счётом. Откройте тарифы и начните заново.",
    already_paid: "Этот счёт уже оплачен.",
    already_subscribed: "Подписка уже действует. Чтобы сменить её, сначала отмените прежнюю.",
    too_many_purchases: "Слишком частые покупки. Подождите несколько минут.",
    not_sold: "Этот пакет больше не продаётся. Откройте тарифы.",
    price_changed: "Цена изменилась. Откройте тарифы и начните заново.",
  },
  en: {
    sale_unknown: "This invoice is no longer valid. Please open the prices and start again.",
    user_differs: "This invoice is for somebody else. Please open the prices and start again.",
    amount_differs: "The amount is not that of the invoice. Please open the prices and start again.",
    already_paid: "This invoice has been paid already.",
    already_subscribed: "Your subscription is active already. To change it, cancel it first.",
    too_many_purchases: "Too many purchases. Please wait a few minutes.",
    not_sold: "This package is no longer sold. Please open the prices.",
    price_changed: "The price has changed. Please open the prices and start again.",
  },
};
