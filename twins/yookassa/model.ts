/** Amounts are whole kopecks; the API has them as text. */
export interface Shop {
  readonly id: string;
  name: string;
  secret: string;
  /** A test shop marks all its objects. */
  test: boolean;
  /** Whether the manager has allowed payments by saved methods. */
  recurring: boolean;
  /** Whether YooKassa makes the receipts, so that every payment must have one. */
  fiscal: boolean;
  notificationUrl: string | null;
  events: NoticeEvent[];
  /**
   * The sender's address of notifications, as the proxy in front of the receiver reports it; null: no proxy, so this
   * machine.
   */
  source: string | null;
  /** The outcome of refunds that the shop requests. */
  refunds: "succeeded" | "pending" | "canceled";
}

export const noticeEvents = [
  "payment.waiting_for_capture",
  "payment.succeeded",
  "payment.canceled",
  "refund.succeeded",
] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

export type PaymentStatus = "pending" | "waiting_for_capture" | "succeeded" | "canceled";

export interface Payment {
  readonly id: string;
  readonly shopId: string;
  status: PaymentStatus;
  amount: number;
  readonly capture: boolean;
  readonly returnUrl: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customer: string | null;
  /** Whether the shop asked to save the method. */
  readonly save: boolean;
  methodId: string | null;
  refunded: number;
  readonly createdAt: number;
  paidAt: number | null;
  capturedAt: number | null;
  readonly hasReceipt: boolean;
  cancellation: Cancellation | null;
}

export interface Cancellation {
  readonly party: "merchant" | "yoo_money" | "payment_network";
  readonly reason: string;
}

export interface Method {
  readonly id: string;
  readonly shopId: string;
  readonly kind: MethodKind;
  readonly last4: string;
  saved: boolean;
  /** Why the next payments by it fail; null: they succeed. */
  declines: string | null;
  /** Payments by it stay pending until settled by the control API, as while a receipt is registered. */
  pending: boolean;
}

export const methodKinds = ["bank_card", "yoo_money", "sbp"] as const;
export type MethodKind = (typeof methodKinds)[number];

export interface Refund {
  readonly id: string;
  readonly shopId: string;
  readonly paymentId: string;
  status: "pending" | "succeeded" | "canceled";
  readonly amount: number;
  readonly description: string | null;
  readonly createdAt: number;
  cancellation: Cancellation | null;
}

/** The answer to a key, kept for a day. */
export interface Remembered {
  readonly shopId: string;
  readonly key: string;
  readonly request: string;
  readonly answer: { readonly status: number; readonly body: unknown };
  readonly at: number;
}

export interface Notice {
  readonly id: number;
  readonly shopId: string;
  readonly event: NoticeEvent;
  readonly objectId: string;
  readonly body: unknown;
  readonly at: number;
  failures: number;
  dueAt: number;
}

export interface World {
  lastId: number;
  shops: Shop[];
  payments: Payment[];
  methods: Method[];
  refunds: Refund[];
  remembered: Remembered[];
  notices: Notice[];
  /** How far this twin's clock is ahead of the others'. */
  aheadMs: number;
  /** How often each notification is repeated. */
  duplicates: number;
  /** Notifications wait until the control API sends them. */
  held: boolean;
}
