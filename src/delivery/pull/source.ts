/** What the puller knows of a source while it reads it. */
export const sourceKinds = ["rss", "api", "db"] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** The position in a source: validators of the last answer, the newest item, whatever else its kind stores. */
export type Cursor = Readonly<Record<string, unknown>>;

export interface Source {
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly kind: SourceKind;
  /** As stored in the database; `readSourceConfig` parses it. */
  readonly config: unknown;
  readonly secretRef: string | null;
  readonly endpointId: string | null;
  readonly cursor: Cursor;
  /** Items dated up to here were seen, have left the list and were forgotten. */
  readonly forgottenUpTo: Date | null;
}

/** A source leased by one run; the run's id identifies the lease. */
export interface LeasedSource extends Source {
  readonly runId: string;
}

/** One item of a source's list. */
export interface Candidate {
  /** The source's own id of the item, the same in every list. */
  readonly ref: string;
  readonly publishedAt?: Date;
  /** The source's cursor after this item. */
  readonly cursor: Cursor;
  /** Makes the push body; called for new items only. Throws if the item cannot become a post. */
  post(): unknown;
}

/** The result of listing a source. */
export type Listing =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "listed";
      /** Oldest first. */
      readonly candidates: readonly Candidate[];
      /** Stored only after every candidate is stored. */
      readonly cursor: Cursor;
      /** There is more to read at once. */
      readonly more: boolean;
    }
  | FailedListing;

export interface FailedListing {
  readonly kind: "failed";
  readonly failure: PullFailure;
}

export type PullFailureCode =
  | "source_config_invalid"
  | "source_secret_missing"
  | "source_unreachable"
  | "source_refused"
  | "source_timeout"
  | "source_too_large"
  | "source_http_error"
  | "source_malformed"
  | "source_query_failed"
  | "ingress_config_error"
  | "internal_error";

/** Why a source could not be read, in words for the person who configured it. */
export interface PullFailure {
  readonly code: PullFailureCode;
  readonly message: string;
  /** How long the source asked us to wait. */
  readonly retryAfterMs?: number;
}

/** The templates of its fields are part of the source's configuration. */
export function expressionFailure({ message }: Error): PullFailure {
  return { code: "source_config_invalid", message };
}

export function failed(code: PullFailureCode, message: string, retryAfterMs?: number): FailedListing {
  return { kind: "failed", failure: { code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) } };
}
