/** What billing needs from a payment provider. The list of providers is in `providers.ts` only. */

/** `unknown`: it may have been done; a repeat is safe. */
export type ProviderAnswer =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };

export interface RefundRequest {
  readonly workspaceId: string;
  readonly seller: string | null;
  readonly paymentId: number;
  readonly chargeId: string;
  readonly userId: number;
  /** The amount to refund now, and the total refunded after it. */
  readonly amount: number;
  readonly refundedAfter: number;
  readonly currency: string;
  readonly isWhole: boolean;
}

export interface SubscriptionRequest {
  readonly workspaceId: string;
  readonly seller: string;
  readonly userId: number;
  readonly chargeId: string;
}

/** A charge in the provider's own records. */
export interface ProviderPayment {
  readonly chargeId: string;
  readonly amount: number;
  readonly currency: string;
  readonly refunded: number;
  readonly at: Date;
}

export interface PaymentProvider {
  /** The name in payments. */
  readonly name: string;
  /** Refunds money. Idempotent: a repeat refunds nothing twice. */
  refund(request: RefundRequest): Promise<ProviderAnswer>;
  /** Stops or resumes renewals within the paid period; absent for providers that we charge ourselves. */
  setRecurring?(subscription: SubscriptionRequest, on: boolean): Promise<ProviderAnswer>;
  /** The provider's charges since then; undefined with the reason if it cannot be asked. */
  payments(
    workspaceId: string,
    sellers: readonly string[],
    since: Date,
  ): Promise<readonly ProviderPayment[] | { readonly trouble: string }>;
}

export type Providers = ReadonlyMap<string, PaymentProvider>;

export function providersOf(list: readonly PaymentProvider[]): Providers {
  return new Map(list.map((provider) => [provider.name, provider]));
}
