import type { ChannelProfile, PlatformName, SendError } from "../../platforms/index.ts";

/**
 * A delivery that `delivery.start_until` gave to this process: only this process may send it, and only its token may settle it.
 * Holds what the sender needs of the type `delivery.started_delivery`.
 */
export interface StartedDelivery {
  readonly workspace_id: string;
  readonly delivery_id: string;
  readonly claim_token: string;
  readonly channel_id: string;
  readonly platform: PlatformName;
  readonly target_id: string;
  readonly send_mode: ChannelProfile["sendMode"];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secret_ref: string | null;
  readonly unknown_policy: "at_least_once" | "at_most_once";
  readonly payload: unknown;
  /** What readers see, without markup; null if it is unknown before compiling. */
  readonly rendered_text: string | null;
  readonly render_meta: {
    readonly compiled?: unknown;
    readonly series_progress?: { readonly provider_message_ids?: readonly (string | null)[] };
  };
  readonly last_error: (Omit<SendError, "retryAfterMs"> & { readonly cause?: string }) | null;
  readonly created_at: Date;
  /** Its first request must not be sent earlier. */
  readonly departs_at: Date;
  /** Nor sooner than this after the channel's previous request; null without a limit. */
  readonly gap_ms: number | null;
  /** A person waits for it until then, and nothing of it is sent afterwards; null if nobody waits. */
  readonly wait_until: Date | null;
}

/** How an attempt ended, in the form that `delivery.settle_deliveries` takes. */
export interface Settlement {
  readonly workspaceId: string;
  readonly delivery_id: string;
  readonly token: string;
  readonly kind: "sent" | "failed" | "unknown";
  readonly provider_message_id?: string;
  readonly meta?: unknown;
  readonly error?: StoredError;
  /** Where the provider's whole answer is stored, if it was an error. */
  readonly payload_ref?: string;
  /** Whether an earlier unknown outcome was looked up first, and the result. */
  readonly reconciled?: "found" | "absent";
  /**
   * How much later than usual its request may have reached the provider of a limited channel: the next one is sent that much
   * later.
   */
  readonly late_ms?: number;
}

/** An error as it is stored: the fields of the contract in the database's spelling, without the provider's raw answer. */
export interface StoredError {
  readonly category: SendError["category"];
  readonly scope: SendError["scope"];
  readonly code: string;
  readonly message: string;
  readonly retry_after_ms?: number;
  /** The new id of a chat that has moved. */
  readonly migrate_to?: string;
}
