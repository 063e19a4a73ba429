import { counted } from "../../kernel/words/index.ts";
import type { Said } from "../said.ts";

/** `1 токен`, `320 токенов`. */
export const tokensInRussian = (count: number) =>
  counted(count, { one: "токен", few: "токена", many: "токенов", other: "токена" }, "ru");

export const tooFewWords = (needed: number, balance: number): Said => ({
  ru: `Недостаточно токенов. Нужно ~${needed}, у вас ${balance}.`,
  en: `There are not enough tokens: about ${needed} are needed, there are ${balance}.`,
});

/** After money was refunded whose tokens are spent. */
export const debtWords = (balance: number): Said => ({
  ru: `Ваш баланс отрицателен (${tokensInRussian(balance)}) из-за возврата средств. Пополните баланс для продолжения работы.`,
  en: `The balance is negative (${balance} tokens) because money was refunded. Top it up to go on.`,
});
