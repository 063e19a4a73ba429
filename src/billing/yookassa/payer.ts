import { createHash } from "node:crypto";
import type { PaidBy } from "./shapes.ts";

/**
 * Identifies the payment method by a hash that is the same for every payment from it: a referrer who pays with the same
 * method as the referred person gets no bonus. YooKassa shows ten digits of a card and its expiry; the hash hides even
 * these.
 */
export function payerOf(paidBy: PaidBy | undefined): string | undefined {
  const { card, account_number: wallet } = paidBy ?? {};
  const known = card?.first6
    ? ["card", card.first6, card.last4, card.expiry_month, card.expiry_year]
    : wallet
      ? ["wallet", wallet]
      : undefined;
  return known && createHash("sha256").update(known.join("/")).digest("hex").slice(0, 32);
}
