import type { Shop } from "../sales/offer.ts";
import { type Buyer, type Contact, contactOf, keepContact, readContact } from "./contact.ts";
import type { CardDeps } from "./deps.ts";
import { type CardSale, type CardSaleRequest, payByCard } from "./pay-by-card.ts";

/** How a product sells by card. */
export interface CardSales<Given> {
  /**
   * Begins a sale and returns the address of the payment page. On `contact_needed`, ask for an e-mail or a phone, store
   * it and begin again.
   */
  begin(order: Omit<CardSaleRequest<Given>, "shop">): Promise<CardSale>;
  /** Where receipts are sent; undefined before the person was asked. */
  contact(buyer: Buyer): Promise<Contact | undefined>;
  /** Stores what a person wrote; false if it is neither an e-mail nor a phone. */
  keepContact(buyer: Buyer, text: string): Promise<boolean>;
}

export function cardSales<Given>(shop: Shop<Given>, deps: CardDeps): CardSales<Given> {
  return {
    begin: (order) => payByCard(deps, { ...order, shop }),
    contact: (buyer) => contactOf(deps.sql, buyer),
    async keepContact(buyer, text) {
      const contact = readContact(text);
      if (contact) await keepContact(deps.sql, buyer, contact, deps.clock.now());
      return contact !== undefined;
    },
  };
}
