/** Payments in Stars as the provider stores them. */

export interface Invoice {
  /** Of its link: `https://t.me/$<slug>`. */
  readonly slug: string;
  readonly botId: number;
  readonly title: string;
  readonly description: string;
  readonly payload: string;
  readonly amount: number;
  readonly startParameter: string;
  /** Seconds; only links of subscriptions have it. */
  readonly subscriptionPeriod?: number;
}

/** A person has tapped Pay and waits for the bot's answer. */
export interface Checkout {
  readonly id: string;
  readonly botId: number;
  readonly at: number;
  answer?: { readonly ok: boolean; readonly reason?: string };
}

export interface StarPayment {
  readonly chargeId: string;
  readonly botId: number;
  readonly personId: number;
  readonly at: number;
  readonly amount: number;
  readonly payload: string;
  readonly subscriptionPeriod?: number;
  refundedAt?: number;
}

/** `failed`: the person had too few Stars; it continues when there are enough. */
export interface StarSubscription {
  /** The charge it began with. */
  readonly chargeId: string;
  readonly invoice: Invoice;
  readonly personId: number;
  state: "active" | "canceled" | "failed";
  /** Only who cancelled it can resume it. */
  canceledBy?: "bot" | "user";
  until: number;
}

export interface Stars {
  readonly invoices: Invoice[];
  readonly checkouts: Checkout[];
  readonly payments: StarPayment[];
  readonly subscriptions: StarSubscription[];
  /** Balances of Stars; a person who is not listed has enough. */
  readonly balances: { personId: number; stars: number }[];
  /** How long a period of 30 days lasts here, so that tests and demos do not wait for a month. */
  periodMs: number;
}

export const monthSeconds = 2_592_000;

export const emptyStars = (): Stars => ({
  ...{ invoices: [], checkouts: [], payments: [], subscriptions: [], balances: [] },
  periodMs: monthSeconds * 1_000,
});

/** An invoice, a payment or a refund in a message. */
export type StarsContent =
  | { readonly kind: "invoice"; readonly invoice: Invoice; paid: boolean }
  | {
      readonly kind: "payment" | "refund";
      readonly amount: number;
      readonly payload: string;
      readonly chargeId: string;
      readonly until?: number;
      readonly isRecurring?: boolean;
      readonly isFirst?: boolean;
    };
