import { counted } from "../../kernel/words/index.ts";
import type { Sale } from "../sales/sale.ts";

export const languages = ["ru", "en"] as const;
export type Language = (typeof languages)[number];

type Sold = Pick<Sale, "package" | "tokens" | "period_days" | "recurring">;

/** What is paid for, on the payment page and the receipt. */
export function nameOf(sale: Sold, language: Language): string {
  const { tokens, period_days: days, recurring } = sale;
  const { once, subscription, token, day } = texts[language];
  const parts = [
    `${recurring ? subscription : once} ${sale.package}`,
    tokens > 0 && counted(tokens, token, language),
    days !== null && counted(days, day, language),
  ];
  return parts.filter(Boolean).join(", ");
}

const texts = {
  ru: {
    once: "Пакет",
    subscription: "Подписка",
    token: { one: "токен", few: "токена", many: "токенов", other: "токена" },
    day: { one: "день", few: "дня", many: "дней", other: "дня" },
  },
  en: {
    once: "Package",
    subscription: "Subscription",
    token: { one: "token", other: "tokens" },
    day: { one: "day", other: "days" },
  },
} as const;
