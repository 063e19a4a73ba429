/** Tokens and money: the ledger by which products hold, settle and return tokens, and the catalogue they sell from. */
export { type Check, checkBooks, type Finding } from "./books/check.ts";
export { returnLostHolds } from "./books/lost-holds.ts";
export { type Report, readReport } from "./books/report.ts";
export {
  listPackages,
  listPrices,
  readSettings,
  setPackage,
  setPrice,
  setSettings,
} from "./catalogue/catalogue.ts";
export type { Package, Price, Settings } from "./catalogue/shape.ts";
export { tokensFor, tokensForText } from "./catalogue/tokens-for.ts";
export {
  type CallCost,
  createLedger,
  type Held,
  type Ledger,
  type Step,
  type Work,
} from "./ledger/ledger.ts";
export { type Refusal, type RefusalCode, refusalOf, type ShortOfTokens } from "./ledger/refusals.ts";
export { billing } from "./module.ts";
export { paymentProviders, sellByCard, sellForStars, usdRubOf } from "./parts.ts";
export { adjust } from "./people/adjust.ts";
export { holdPage, movementPage, peoplePage, readPerson } from "./people/people.ts";
export type { Hold, Movement, Person } from "./people/shape.ts";
export {
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderPayment,
  type Providers,
  providersOf,
} from "./providers/provider.ts";
export { billingRoutes } from "./routes.ts";
export { type Currency, type Offer, type Shop, tokenOffers } from "./sales/offer.ts";
export { defineOutcomeTask, type OutcomeTask, outcomeKinds, type SaleOutcome } from "./sales/outcome.ts";
export { paidUntil, paymentOfCharge, paymentPage, readPayment } from "./sales/payments.ts";
export { type Charge, type Recorded, recordPayment, recordRefund } from "./sales/record-payment.ts";
export {
  beginSale,
  type Payable,
  readSale,
  refusalToPay,
  type Sale,
  type SaleRefusal,
} from "./sales/sale.ts";
export type { Payment, Subscription } from "./sales/shape.ts";
export {
  changeSubscription,
  readSubscription,
  setRecurring,
  subscriptionOf,
  subscriptionPage,
} from "./sales/subscriptions.ts";
export type { Order, Refused, StarsInvoice, StarsSales } from "./stars/sell.ts";
export type { Contact } from "./yookassa/contact.ts";
export type { CardSale } from "./yookassa/pay-by-card.ts";
export type { CardSales } from "./yookassa/sell.ts";
