import type { Cancellation } from "./model.ts";

/** Reasons of cancelled payments, with the party that cancelled. */
const parties: Readonly<Record<string, Cancellation["party"]>> = {
  "3d_secure_failed": "payment_network",
  call_issuer: "payment_network",
  canceled_by_merchant: "merchant",
  card_expired: "payment_network",
  country_forbidden: "yoo_money",
  deal_expired: "merchant",
  expired_on_capture: "yoo_money",
  expired_on_confirmation: "yoo_money",
  fraud_suspected: "yoo_money",
  general_decline: "payment_network",
  identification_required: "yoo_money",
  insufficient_funds: "payment_network",
  internal_timeout: "yoo_money",
  invalid_card_number: "payment_network",
  invalid_csc: "payment_network",
  issuer_unavailable: "payment_network",
  payment_method_limit_exceeded: "payment_network",
  payment_method_restricted: "payment_network",
  permission_revoked: "yoo_money",
  unsupported_mobile_operator: "yoo_money",
};

export const cancelReasons = Object.keys(parties);

export function cancellation(reason: string): Cancellation {
  return { party: parties[reason] ?? "yoo_money", reason };
}

/** Reasons of a bank or YooKassa while a person pays; the others come from the shop or from expiry. */
export const declineReasons: Readonly<Record<string, string>> = {
  insufficient_funds: "Не хватает денег",
  "3d_secure_failed": "Не пройдена проверка 3-D Secure",
  call_issuer: "Банк отказал без причины",
  card_expired: "Карта просрочена",
  country_forbidden: "Карта этой страны не принимается",
  fraud_suspected: "Подозрение в мошенничестве",
  general_decline: "Причина не названа",
  identification_required: "Кошелёк не подтверждён",
  invalid_card_number: "Неверный номер карты",
  invalid_csc: "Неверный код CVC",
  issuer_unavailable: "Банк не отвечает",
  payment_method_limit_exceeded: "Превышен лимит",
  payment_method_restricted: "Операции по карте запрещены",
};
