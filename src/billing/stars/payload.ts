import type { Sale } from "../sales/sale.ts";

/** What Telegram returns with a payment: the sale and the person. */
export interface Payload {
  readonly package: string;
  readonly userId: number;
  readonly saleId: number;
  readonly recurring: boolean;
}

/** `purchase:starter:user_77:sale_12`, `sub:pro:user_77:sale_13`; far below Telegram's 128 bytes. */
export function writePayload(sale: Pick<Sale, "id" | "user_id" | "package" | "recurring">): string {
  return `${sale.recurring ? "sub" : "purchase"}:${sale.package}:user_${sale.user_id}:sale_${sale.id}`;
}

/** Undefined if it is not ours. */
export function readPayload(text: string): Payload | undefined {
  const read = /^(purchase|sub):([a-z][a-z0-9_]{0,49}):user_([1-9]\d{0,15}):sale_([1-9]\d{0,15})$/.exec(text);
  if (!read) return undefined;
  const [, kind, name = "", user, sale] = read;
  return { package: name, userId: Number(user), saleId: Number(sale), recurring: kind === "sub" };
}
